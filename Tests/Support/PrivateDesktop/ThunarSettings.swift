import Foundation

extension PrivateDesktop {
  /// How the file manager shows a folder.
  public enum ThunarView: String, Sendable {
    /// A list, the one view that is in the accessibility tree.
    case details = "ThunarDetailsView"
    case icons = "ThunarIconView"
    case compact = "ThunarCompactView"
  }

  /// Settles how the file manager of this desktop, which is to be started yet, shows folders.
  public func chooseThunarView(_ view: ThunarView = .details) throws {
    let folder = (environment["XDG_CONFIG_HOME"] ?? "") + "/xfce4/xfconf/xfce-perchannel-xml"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let settings = """
      <?xml version="1.0" encoding="UTF-8"?>
      <channel name="thunar" version="1.0">
        <property name="last-view" type="string" value="\(view.rawValue)"/>
        <property name="default-view" type="string" value="\(view.rawValue)"/>
      </channel>

      """
    try Data(settings.utf8).write(to: URL(filePath: folder + "/thunar.xml"))
  }
}
