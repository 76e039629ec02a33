/// Resolves relative addresses of pages (RFC 3986 section 5.2, without queries of the base).
enum PageAddress {
  static func resolved(_ address: String, on page: String) -> String? {
    if hasScheme(address) { return address }
    guard let colon = page.firstIndex(of: ":"), page[colon...].hasPrefix("://") else { return nil }
    let scheme = String(page[...colon])
    if address.hasPrefix("//") { return scheme + address }
    let start = page.index(colon, offsetBy: 3)
    let whole = page[start...].prefix { !"?#".contains($0) }
    let host = String(whole.prefix { $0 != "/" })
    let root = scheme + "//" + host
    if address.hasPrefix("/") { return root + address }
    var steps = whole.dropFirst(host.count).split(separator: "/", omittingEmptySubsequences: false)
    // The part after the last slash is the page itself.
    if steps.count > 1 { steps.removeLast() }
    var rest = address[...]
    while true {
      if rest.hasPrefix("./") {
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("../") {
        rest = rest.dropFirst(3)
        if steps.count > 1 { steps.removeLast() }
      } else {
        break
      }
    }
    let folder = steps.joined(separator: "/")
    return root + folder + "/" + String(rest)
  }

  static func hasScheme(_ address: String) -> Bool {
    let word = address.prefix { $0 != ":" }
    return word.count < address.count && word.first?.isLetter == true
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}
