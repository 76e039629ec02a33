/// Tidies a template as xgettext writes it for the repository.
enum Template {
  /// No date, no names and no line numbers: it changes only with a message. msgfmt would miss the
  /// empty fields.
  private static let header = #"""
    # The messages of KeyDrag, extracted from its sources; not to be edited by hand.
    msgid ""
    msgstr ""
    "Project-Id-Version: KeyDrag\n"
    "PO-Revision-Date: \n"
    "Last-Translator: \n"
    "Language-Team: \n"
    "Language: \n"
    "MIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\n"
    """#

  static func tidied(_ text: String) -> String {
    ([header] + entries(text).map(tidied(entry:))).joined(separator: "\n\n") + "\n"
  }

  static func entries(_ text: String) -> [String] {
    // xgettext separates entries by an empty line; within one no line is empty.
    text.split(separator: "\n\n").dropFirst().map { entry in
      String(entry.hasSuffix("\n") ? entry.dropLast() : entry)
    }
  }

  /// xgettext has no format for Java's strings that looks like ours; msgfmt checks placeholders
  /// only if a format is named.
  private static func tidied(entry: String) -> String {
    var lines = entry.split(separator: "\n").filter { !$0.hasPrefix("#,") }
    let isFormat = lines.contains { !$0.hasPrefix("#") && $0.contains(/%[1-9]\$@/) }
    if isFormat, let message = lines.firstIndex(where: { !$0.hasPrefix("#") }) {
      lines.insert("#, objc-format", at: message)
    }
    return lines.joined(separator: "\n")
  }
}
