/// The files in Profiles, as they were when the program was built.
enum ShippedProfiles {
  static let all: [(name: String, bytes: [UInt8])] = [
    ("chromium", PackageResources.chromium_yaml),
    ("firefox", PackageResources.firefox_yaml),
    ("gimp", PackageResources.gimp_yaml),
    ("libreoffice-calc", PackageResources.libreoffice_calc_yaml),
    ("libreoffice-impress", PackageResources.libreoffice_impress_yaml),
    ("libreoffice-writer", PackageResources.libreoffice_writer_yaml),
    ("nautilus", PackageResources.nautilus_yaml),
    ("pcmanfm-qt", PackageResources.pcmanfm_qt_yaml),
    ("terminal", PackageResources.terminal_yaml),
    ("thunar", PackageResources.thunar_yaml),
  ]
}
