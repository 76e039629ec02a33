/// Words for symbols that a voice of espeak-ng 1.51 is silent at or says in English.
///
/// Measured for each language; what is missing here the voice says itself. They are spelled for the
/// voice, not for the eye: Japanese in kana, Hebrew with its vowel points.
enum SymbolWords {
  /// The words of a language by symbol; none for a language whose voice needs none.
  static func words(of language: String) -> [Unicode.Scalar: String] {
    table[LanguageTag.base(language)] ?? [:]
  }

  /// The word for the point in "1.5", where the voice leaves it out.
  static func decimalPoint(of language: String) -> String? {
    switch LanguageTag.base(language) {
    case "pt": "ponto"
    case "nl": "punt"
    case "uk": "крапка"
    case "he": "נְקוּדָה"
    case "ja": "てん"
    case "zh", "cmn", "yue": "点"
    case "ko": "점"
    default: nil
    }
  }

  /// The word for the dot in "notes.txt", where the voice leaves it out.
  static func nameDot(of language: String) -> String? {
    switch LanguageTag.base(language) {
    case "de": "Punkt"
    case "fr": "point"
    case "it": "punto"
    case "tr": "nokta"
    default: nil
    }
  }

  /// Each symbol with its words, by language.
  private static let table: [String: [Unicode.Scalar: String]] = [
    "de": ["/": "Schrägstrich", "*": "Stern"],
    "fr": [
      "=": "égal", "#": "dièse", "/": "barre oblique", "\\": "barre inverse", "§": "paragraphe",
      "→": "flèche droite", "←": "flèche gauche", "↑": "flèche haut", "↓": "flèche bas",
      "№": "numéro",
    ],
    "es": [
      "~": "tilde", "\\": "barra invertida", "×": "por", "±": "más menos", "½": "medio",
      "¥": "yen", "→": "flecha derecha", "←": "flecha izquierda", "↑": "flecha arriba",
      "↓": "flecha abajo", "№": "número",
    ],
    "it": ["×": "per", "±": "più o meno", "¥": "yen"],
    "pt": [
      "#": "cerquilha", "~": "til", "/": "barra", "\\": "barra invertida", "±": "mais ou menos",
    ],
    "nl": [
      "&": "en", "~": "tilde", "§": "paragraaf", "×": "keer", "±": "plusminus",
      "½": "een half", "£": "pond", "¥": "yen", "→": "pijl rechts", "←": "pijl links",
      "↑": "pijl omhoog", "↓": "pijl omlaag", "№": "nummer",
    ],
    "sv": [
      "=": "lika med", "#": "nummertecken", "~": "tilde", "\\": "omvänt snedstreck",
      "§": "paragraf", "°": "grader", "×": "gånger", "±": "plus minus", "½": "en halv",
      "£": "pund", "¥": "yen", "→": "högerpil", "←": "vänsterpil", "↑": "uppåtpil",
      "↓": "nedåtpil", "№": "nummer",
    ],
    "pl": [
      "€": "euro", "→": "strzałka w prawo", "←": "strzałka w lewo", "↑": "strzałka w górę",
      "↓": "strzałka w dół", "№": "numer",
    ],
    "cs": [
      "±": "plus minus", "½": "polovina", "£": "libra", "¥": "jen", "→": "šipka doprava",
      "←": "šipka doleva", "↑": "šipka nahoru", "↓": "šipka dolů", "№": "číslo",
    ],
    "tr": [
      "#": "kare", "@": "et", "~": "tilde", "/": "eğik çizgi", "\\": "ters eğik çizgi",
      "×": "çarpı", "±": "artı eksi", "½": "yarım", "£": "sterlin", "¥": "yen",
      "→": "sağ ok", "←": "sol ok", "↑": "yukarı ok", "↓": "aşağı ok", "№": "numara",
    ],
    "ru": [
      "€": "евро", "§": "параграф", "°": "градусов", "×": "умножить на", "±": "плюс-минус",
      "½": "одна вторая", "£": "фунт", "¥": "иена", "→": "стрелка вправо",
      "←": "стрелка влево", "↑": "стрелка вверх", "↓": "стрелка вниз",
    ],
    "uk": [
      "%": "відсотків", "&": "і", "+": "плюс", "=": "дорівнює", "#": "решітка", "@": "собачка",
      "~": "тильда", "/": "скісна риска", "\\": "зворотна скісна риска", "*": "зірочка",
      "€": "євро", "§": "параграф", "°": "градусів", "×": "помножити на", "±": "плюс-мінус",
      "½": "одна друга", "$": "долар", "£": "фунт", "¥": "єна", "→": "стрілка праворуч",
      "←": "стрілка ліворуч", "↑": "стрілка вгору", "↓": "стрілка вниз", "№": "номер",
    ],
    "el": [
      "&": "και", "#": "δίεση", "@": "παπάκι", "~": "περισπωμένη", "/": "κάθετος",
      "\\": "ανάποδη κάθετος", "§": "παράγραφος", "°": "βαθμοί", "×": "επί", "±": "συν πλην",
      "½": "μισό", "£": "λίρα", "¥": "γιεν", "→": "βέλος δεξιά", "←": "βέλος αριστερά",
      "↑": "βέλος πάνω", "↓": "βέλος κάτω", "№": "αριθμός",
    ],
    "ar": [
      "%": "بالمئة", "&": "و", "+": "زائد", "=": "يساوي", "#": "هاش", "@": "آت",
      "~": "تيلدا", "/": "شرطة مائلة", "\\": "شرطة عكسية", "*": "نجمة", "§": "فقرة",
      "°": "درجة", "×": "ضرب", "±": "زائد ناقص", "½": "نصف", "→": "سهم يمين",
      "←": "سهم يسار", "↑": "سهم أعلى", "↓": "سهم أسفل", "№": "رقم",
    ],
    "he": [
      "%": "אָחוּז", "&": "וֶ", "+": "פּלוּס", "=": "שָוֶה", "#": "סוּלָמִית", "@": "שטרוּדֶל",
      "~": "טִילדָה", "/": "לוֹכסָן", "\\": "לוֹכסָן הָפוּך", "*": "כּוֹכָבִית", "€": "אֵירוֹ",
      "§": "סָעִיף", "°": "מַעֲלוֹת", "×": "כָּפוּל", "±": "פּלוּס מִינוּס", "½": "חֵצִי",
      "$": "דוֹלָר", "£": "לִירָה", "¥": "יֵן", "→": "חֵץ יָמִינָה", "←": "חֵץ שמוֹלָה",
      "↑": "חֵץ לְמַעלָה", "↓": "חֵץ לְמַטָה", "№": "מִספָּר",
    ],
    "hi": [
      "&": "और", "#": "हैश", "@": "ऐट", "~": "टिल्डा", "/": "स्लैश", "\\": "बैकस्लैश",
      "€": "यूरो", "§": "धारा", "°": "डिग्री", "×": "गुणा", "±": "प्लस माइनस", "½": "आधा",
      "£": "पाउंड", "¥": "येन", "→": "दायाँ तीर", "←": "बायाँ तीर", "↑": "ऊपर तीर",
      "↓": "नीचे तीर", "№": "नंबर",
    ],
    "ja": [
      "%": "パーセント", "&": "アンド", "+": "プラス", "=": "イコール", "#": "シャープ",
      "@": "アットマーク", "~": "チルダ", "/": "スラッシュ", "\\": "バックスラッシュ",
      "*": "アスタリスク", "€": "ユーロ", "§": "セクション", "°": "ど", "×": "かける",
      "±": "プラスマイナス", "½": "にぶんのいち", "$": "ドル", "£": "ポンド", "¥": "えん",
      "→": "みぎやじるし", "←": "ひだりやじるし", "↑": "うえやじるし", "↓": "したやじるし",
      "№": "ナンバー",
    ],
    "zh": [
      "%": "百分号", "&": "和", "+": "加", "=": "等于", "#": "井号", "@": "艾特", "~": "波浪号",
      "/": "斜杠", "\\": "反斜杠", "*": "星号", "€": "欧元", "§": "节", "°": "度", "×": "乘",
      "±": "正负", "½": "二分之一", "$": "美元", "£": "英镑", "¥": "元", "→": "右箭头",
      "←": "左箭头", "↑": "上箭头", "↓": "下箭头", "№": "号",
    ],
    "ko": [
      "%": "퍼센트", "&": "앤드", "+": "플러스", "=": "등호", "#": "샵", "@": "골뱅이",
      "~": "물결표", "/": "슬래시", "\\": "역슬래시", "*": "별표", "€": "유로", "§": "섹션",
      "°": "도", "×": "곱하기", "±": "플러스 마이너스", "½": "이분의 일", "$": "달러",
      "£": "파운드", "¥": "엔", "→": "오른쪽 화살표", "←": "왼쪽 화살표", "↑": "위쪽 화살표",
      "↓": "아래쪽 화살표", "№": "번호",
    ],
  ]
}
