/// The files in Profiles, embedded at build time.
enum ShippedProfiles {
  static let all: [(name: String, bytes: [UInt8])] = [
    ("caja", PackageResources.caja_yaml),
    ("chromium", PackageResources.chromium_yaml),
    ("dolphin", PackageResources.dolphin_yaml),
    ("firefox", PackageResources.firefox_yaml),
    ("gimp", PackageResources.gimp_yaml),
    ("libreoffice-calc", PackageResources.libreoffice_calc_yaml),
    ("libreoffice-impress", PackageResources.libreoffice_impress_yaml),
    ("libreoffice-writer", PackageResources.libreoffice_writer_yaml),
    ("nautilus", PackageResources.nautilus_yaml),
    ("nemo", PackageResources.nemo_yaml),
    ("nemo-desktop", PackageResources.nemo_desktop_yaml),
    ("pcmanfm", PackageResources.pcmanfm_yaml),
    ("pcmanfm-qt", PackageResources.pcmanfm_qt_yaml),
    ("terminal", PackageResources.terminal_yaml),
    ("thunar", PackageResources.thunar_yaml),
    ("xfdesktop", PackageResources.xfdesktop_yaml),
  ]
}
