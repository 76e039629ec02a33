import Foundation

extension Recipe {
  static var browsers: [Recipe] {
    [
      browser(
        "Firefox", "firefox-esr", app: "Firefox",
        command: { ["/usr/bin/firefox-esr", "--no-remote", "--profile", $0.path("profile")] }),
      browser(
        "Chromium", "chromium", app: "Chromium",
        command: { field in
          [
            "/usr/bin/chromium", "--no-sandbox", "--user-data-dir=" + field.path("profile"),
            "--no-first-run", "--no-default-browser-check", "--disable-gpu",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--password-store=basic", "--force-renderer-accessibility",
          ]
        }),
      thunderbird,
    ]
  }

  private static func browser(
    _ name: String, _ package: String, app: String,
    command: @escaping (FieldDesktop) -> [String]
  ) -> Recipe {
    var recipe = Recipe(
      name: name, package: package, files: ["/usr/bin/" + package], app: app,
      open: { field in
        try field.make("page.html", page)
        try field.make("profile/user.js", firefoxSettings)
        try field.start(
          command(field) + ["file://" + field.path("page.html")])
        let window = try field.window("Drop page", within: 80)
        try field.activate(window)
        return window
      },
      places: ["Zone"])
    recipe.textPlaces = ["Words"]
    recipe.refused = (note, ["Plain"])
    recipe.tab = ["Drop page tab"]
    recipe.selectText = { field, _ in
      try field.press("ctrl+a")
      return shopping
    }
    recipe.oracle = { field, _, payload, before in
      let all = try field.windows().map(\.title) + field.laterTitles
      let titles = all.filter { !before.contains($0) }
      var result: Set<Effect> = []
      // A text has no title when it takes the page's place.
      let own = ["Drop page", "Got ", "Words"]
      if !all.isEmpty, !all.contains(where: { title in own.contains(where: title.hasPrefix) }) {
        result.insert(.opened)
      }
      for title in titles {
        if title.hasPrefix("Got ") {
          result.insert(.inserted)
        } else if title.hasPrefix("Words") {
          if let effect = DiskOracle.effect(of: payload, in: title) { result.insert(effect) }
        } else if payload.file != nil, title.contains(payload.name) {
          result.insert(.opened)
        }
      }
      return result
    }
    return recipe
  }

  /// The title tells what was dropped or typed.
  private static let page = """
    <!DOCTYPE html><html><head><meta charset="utf-8"><title>Drop page</title></head><body>
    <div id="zone" role="group" aria-label="Zone" aria-dropeffect="copy"
      style="height: 90px">Drop here</div>
    <div role="group" aria-label="Plain" aria-dropeffect="copy"
      style="height: 60px">Nothing is taken here</div>
    <textarea id="words" aria-label="Words" rows="6" cols="40" autofocus>Milk and bread</textarea>
    <script>
    zone.ondragover = event => { event.preventDefault(); event.dataTransfer.dropEffect = "copy"; };
    zone.ondrop = event => {
      event.preventDefault();
      const file = event.dataTransfer.files[0];
      document.title = `Got ${file.name} ${file.size} ${event.dataTransfer.dropEffect}`;
    };
    words.oninput = () => { document.title = "Words " + words.value; };
    </script></body></html>

    """

  private static let firefoxSettings = """
    user_pref("browser.shell.checkDefaultBrowser", false);
    user_pref("browser.aboutwelcome.enabled", false);
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("browser.startup.homepage_override.mstone", "ignore");
    user_pref("app.update.enabled", false);

    """

  /// A letter that is being written, with an account that reaches nobody. What it holds is read from
  /// the draft that it saves.
  private static var thunderbird: Recipe {
    var recipe = Recipe(
      name: "Thunderbird", package: "thunderbird", files: ["/usr/bin/thunderbird"],
      app: "Thunderbird",
      open: { field in
        try field.make("profile/user.js", thunderbirdSettings)
        try field.start([
          "/usr/bin/thunderbird", "--no-remote", "--profile", field.path("profile"), "-compose",
          "to=ada@example.org,subject=Shopping,body=Milk",
        ])
        let window = try field.window("Write:", within: 80)
        try field.activate(window)
        return window
      },
      places: ["Write: Shopping", "Message body", "Shopping", ""])
    recipe.oracle = { field, window, payload, _ in
      try field.activate(window)
      try field.press("ctrl+s")
      var effects: Set<Effect> = []
      field.wait(6) {
        let drafts = field.read("profile/Mail/Local Folders/Drafts") ?? ""
        if let file = payload.file {
          if drafts.contains("filename=\"\(payload.name)\"") { effects.insert(.inserted) }
          if drafts.contains(file) { effects.insert(.pathTyped) }
        } else if drafts.contains(words) {
          effects.insert(.inserted)
        }
        return !effects.isEmpty
      }
      return effects
    }
    recipe.textPlaces = ["Message body", "Shopping", "Write"]
    // Folders of letters take letters.
    recipe.refused = (note, ["tree with Local Folders"])
    return recipe
  }

  private static let thunderbirdSettings = """
    user_pref("mail.accountmanager.accounts", "account1,account2");
    user_pref("mail.accountmanager.defaultaccount", "account2");
    user_pref("mail.accountmanager.localfoldersserver", "server1");
    user_pref("mail.account.account1.server", "server1");
    user_pref("mail.account.account2.server", "server2");
    user_pref("mail.account.account2.identities", "id1");
    user_pref("mail.server.server1.type", "none");
    user_pref("mail.server.server1.hostname", "Local Folders");
    user_pref("mail.server.server1.userName", "nobody");
    user_pref("mail.server.server1.name", "Local Folders");
    user_pref("mail.server.server2.type", "pop3");
    user_pref("mail.server.server2.hostname", "localhost");
    user_pref("mail.server.server2.userName", "ada");
    user_pref("mail.server.server2.check_new_mail", false);
    user_pref("mail.server.server2.login_at_startup", false);
    user_pref("mail.identity.id1.fullName", "Ada");
    user_pref("mail.identity.id1.useremail", "ada@example.org");
    user_pref("mail.identity.id1.valid", true);
    user_pref("mail.identity.id1.smtpServer", "smtp1");
    user_pref("mail.identity.id1.compose_html", false);
    user_pref("mail.identity.id1.draft_folder", "mailbox://nobody@Local%20Folders/Drafts");
    user_pref("mail.identity.id1.drafts_folder_picker_mode", "1");
    user_pref("mail.smtpservers", "smtp1");
    user_pref("mail.smtpserver.smtp1.hostname", "localhost");
    user_pref("mail.shell.checkDefaultClient", false);
    user_pref("mail.rights.version", 1);
    user_pref("mailnews.start_page.enabled", false);
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("app.donation.eoy.version.viewed", 999);

    """
}
