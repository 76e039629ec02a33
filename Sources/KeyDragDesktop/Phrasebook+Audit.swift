import KeyDragCore

extension Phrasebook {
  package func describe(_ finding: AuditFinding) -> String {
    let name = finding.name
    let count = finding.number ?? 0
    return switch finding.kind {
    case .unnamed:
      phrase(
        // keydrag audit: a place in a program's window has no name. %1$@ is how it is told, such as
        // "text field 2 of 3". A profile is a file about the program.
        "%1$@ has no name. A rule in a profile can give it one.", name)
    case .duplicate:
      plural(
        // keydrag audit: places in a program's window have one name. %1$@ is the name, %2$@ how many
        // places there are.
        "%1$@ is the name of %2$@ place.", "%1$@ is the name of %2$@ places.", count, name)
    case .unreachable:
      // keydrag audit: nothing can be dropped there. %1$@ is a place in a program's window.
      phrase("%1$@ is not on the screen.", name)
    case .tiny:
      plural(
        // keydrag audit: a place in a program's window is too small. %1$@ is the place, %2$@ a
        // number of dots on the screen.
        "%1$@ is only %2$@ pixel wide or high.", "%1$@ is only %2$@ pixels wide or high.", count,
        name)
    case .sourceWithoutTypes:
      phrase(
        // keydrag audit: something can be picked up, but it is not known whether it is a file, text
        // or something else. %1$@ is its name. A profile is a file about the program.
        "%1$@ can be dragged, but not as what. A rule in a profile can say it.", name)
    case .deadRule:
      // keydrag audit: a rule in a file about a program fits nothing in its windows. %1$@ is the
      // name of the file, %2$@ the number of the rule in it.
      phrase("Profile %1$@: rule %2$@ fits nothing here.", name, number(count))
    case .silentView: untold(name, finding.key)
    }
  }

  /// Says that a file view exposes no contents, with the key of a view that does.
  package func untold(_ view: String, _ key: KeyStroke?) -> String {
    join(
      phrase(
        // A part of a file manager's window that shows files, and that screen readers can't look
        // into. %1$@ is what it is called, such as "Docs folder view, Thunar".
        "%1$@ does not tell what is in it.", view),
      key.map {
        phrase(
          // Advice where a view of a file manager does not tell what is in it. %1$@ is a key,
          // such as Ctrl+2; there: in the file manager's window. Its view of details: the list that
          // file managers call so.
          "Press %1$@ there for the details view, which does.", keyName($0))
      } ?? "")
  }
}
