/// Names that file managers show for the home folder, in KeyDrag's languages: translations of
/// "Home" and "Home Folder" in Nautilus, GTK, Caja, Thunar, libfm and gThumb.
enum HomeNames {
  static let all = [
    "Home", "Home Folder", "المنزل", "مجلّد المنزل", "主目录", "主文件夹", "家目錄", "Domů",
    "Domovská složka", "Persoonlijke map", "Thuismap", "Dossier personnel",
    "Répertoire personnel", "Persönlicher Ordner", "Benutzerverzeichnis", "Προσωπικός φάκελος",
    "Προσωπικός Φάκελος", "Αρχικός κατάλογος", "בית", "תיקיית הבית", "घर", "घर फोल्डर",
    "Cartella home", "Cartella Home", "ホーム", "ホームフォルダ", "ホームフォルダー", "내 폴더", "홈",
    "홈 폴더", "Katalog domowy", "Katalog użytkownika", "Pasta pessoal", "Pasta Pessoal",
    "Pasta inicial", "Início", "Домашняя папка", "Carpeta personal", "Hem", "Hemkatalog",
    "Hemmapp", "Başlangıç", "Ev", "Ev Klasörü", "Ev Dizini", "Домівка", "Домашня тека",
  ]
}
