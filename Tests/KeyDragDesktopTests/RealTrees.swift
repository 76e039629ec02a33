import KeyDragCore

/// Trees as programs told them; what repeats is cut short.
enum RealTrees {
  /// Thunar 4.18, details view, GTK 3.24.
  static let thunar = """
    frame 'docs - Thunar' 319,197,642,505 showing
      tool bar '' 320,242,640,42 showing
        panel '' 324,246,37,35 showing
          push button 'Back' 324,246,37,35 showing focusable
        panel '' 472,246,448,35 showing
          text '' 472,246,448,35 showing editable focusable
            icon 'dialog-error-symbolic' 481,255,16,16 showing
      split pane '' 320,318,640,379 showing
        scroll pane '' 320,318,170,379 showing
          table '' 320,319,170,378 showing focusable
            table column header ''
            table cell '' 322,320,166,25 showing focusable
              table cell 'Places' 322,320,170,25 showing
              table cell '' 322,320,0,25 showing
            table cell '' 322,373,166,24 showing focusable
              table cell 'home' 322,373,0,24 showing
              table cell '' 336,373,24,24 showing
              table cell 'home' 362,373,130,24 showing
            table cell '' 322,399,166,24 showing focusable
              table cell 'Trash' 322,399,0,24 showing
              table cell 'Trash' 362,399,130,24 showing
            table cell '' 322,425,166,25 showing focusable
              table cell 'Devices' 322,425,170,25 showing
        status bar '43 folders  |  3 files: 6 bytes' 501,672,449,25 showing
        page tab list '' 491,318,469,354 showing
          page tab '' showing selected
            directory pane 'Details view' 491,318,469,354 showing focusable
              table '' 491,319,469,352 showing focused focusable
                table column header 'Name' 491,319,151,25 showing
                table column header 'Size' 642,319,63,25 showing
                table column header 'Type' 705,319,139,25 showing
                table column header 'Date Modified' 844,319,136,25 showing
                table cell '' 493,345,147,26 showing focusable
                  table cell '' 493,345,26,26 showing
                  table cell 'Archive' 519,345,125,26 showing
                table cell '4.0 KiB' 644,345,59,26 showing
                table cell 'folder' 707,345,135,26 showing
                table cell 'Today' 846,345,132,26 showing
                table cell '' 493,653,147,26 showing focusable
                  table cell '' 493,653,26,26 showing
                  table cell 'folder11' 519,653,125,26 showing
                table cell '4.0 KiB' 644,653,59,26 showing
                table cell 'folder' 707,653,135,26 showing
                table cell 'Today' 846,653,132,26 showing
                table cell '' showing focusable
                  table cell '' showing
                  table cell 'folder12' showing
                table cell '4.0 KiB' showing
                table cell 'folder' showing
                table cell 'Today' showing
                scroll bar '' 491,665,469,6 showing
    """

  /// A window of GTK 3.24 with one of each.
  static let gtk3 = """
    frame 'Mixed' 0,310,172,590 showing
      filler '' 1,330,170,565 showing
        tree table '' 1,330,170,94 showing focused
          table column header 'Mail' 1,330,170,25 showing
          table cell 'Inbox' 41,356,128,21 showing
          table cell 'Work' 59,379,110,21 showing
          table cell 'Sent' 41,402,128,21 showing
        layered pane '' 1,424,170,79 showing
          icon '' 13,436,50,38 showing focusable
          icon '' 81,436,50,38 showing focusable
        list box '' 1,503,170,42 showing
          list item '' 1,503,170,21 showing focusable
            label 'Row A' 3,505,166,17 showing
          list item '' 1,524,170,21 showing focusable
            label 'Row B' 3,526,166,17 showing
        table '' 1,545,170,23 showing
          list item '' 1,545,60,23 showing focusable
            label 'Flow A' 4,548,54,17 showing
          list item '' 61,545,60,23 showing focusable
            label 'Flow B' 64,548,54,17 showing
        page tab list '' 1,568,170,73 showing focusable
          page tab 'First' 22,572,30,30 showing selected
            text '' 2,606,168,34 showing editable focusable multi-line
          page tab 'Second' 84,572,47,30 showing
            text '' visible editable focusable
        text '' 1,641,170,34 showing editable focusable
        drawing area '' 1,675,170,50 showing
        push button 'Press' 1,725,170,34 showing focusable
        panel '' 1,759,170,17 showing
          label 'Drop here' 1,759,170,17 showing
        icon '' 1,776,170,48 showing
        status bar '' 11,830,150,25 showing
        combo box '(None)' visible
    """

  /// GTK 3's dialog to open a file.
  static let fileChooser = """
    file chooser 'Open file' 91,26,1098,847 showing
      scroll pane 'Places' 92,46,156,776 showing
        viewport '' 92,46,156,776 showing
          list box '' 92,46,156,776 showing
            list item '' 92,50,156,36 showing focusable
              panel '' 92,50,156,36 showing
                icon '' 106,50,24,36 showing
                label 'Recent' 130,50,104,36 showing
                push button '' focusable
            list item '' focusable
              panel '' visible
                label 'New bookmark' visible
      toggle button 'docs' 359,52,55,34 showing focusable
      scroll pane '' 249,93,939,729 showing
        table 'Files' 249,93,939,729 showing
          table column header 'Name' 249,93,714,25 showing
          table column header 'Size' 963,93,64,25 showing
          table column header 'Type' 1027,93,83,25 showing
          table column header 'Modified' 1110,93,78,25 showing
          table cell '' 251,119,710,21 showing selected
            table cell '' 251,119,28,21 showing
            table cell 'Archive' 279,119,686,21 showing
          table cell '' 965,119,60,21 showing
          table cell '' 1029,119,79,21 showing
          table cell '' 1112,119,74,21 showing
            table cell '15:15' 1112,119,78,21 showing
            table cell '15:15' 251,119,0,21 showing
          table cell '' 251,142,710,21 showing
            table cell '' 251,142,28,21 showing
            table cell 'Holiday photos' 279,142,686,21 showing
          table cell '' 965,142,60,21 showing
          table cell '' 1029,142,79,21 showing
          table cell '' 1112,142,74,21 showing
    """

  /// Firefox with a page of its own and another tab.
  static let firefox = """
    frame 'Drop page — Mozilla Firefox' 0,19,1280,881 showing
      tool bar 'Browser tabs' 0,19,1280,44 showing {id: TabsToolbar}
        page tab list '' 40,19,1200,44 showing {id: tabbrowser-tabs}
          page tab 'Drop page' 45,19,225,44 showing selected {posinset: 1, setsize: 2}
            push button 'Close tab' 246,29,18,24 showing
          page tab 'Problem loading page' 270,19,225,44 showing {posinset: 2, setsize: 2}
            push button 'Close tab' 471,29,18,24 showing
      tool bar 'Navigation' 0,63,1280,40 showing {id: nav-bar}
        combo box 'Search with Google or enter address' 259,75,768,17 showing editable {id: urlbar-input, tag: input}
      panel '' 0,104,1280,796 showing {id: tabbrowser-tabpanels}
        scroll pane '' 0,104,1280,796 showing
          internal frame '' 0,104,1280,796 showing {tag: browser}
            document web 'Drop page' showing focused
              heading 'Board' 8,125,1264,39 showing
              list box 'Tasks' 8,186,1264,38 showing {xml-roles: listbox}
                list item '• Buy milk' 48,186,1224,19 showing {posinset: 1, setsize: 2, grabbed: false}
                list item '• Call Ann' 48,205,1224,19 showing {posinset: 2, setsize: 2, grabbed: true}
              panel 'Done' 8,240,1264,62 showing {dropeffect: move copy}
              panel 'Closed' 8,302,1264,19 showing {dropeffect: none}
              section '' 8,321,1264,20 showing {tag: div}
              entry 'Notes' 8,342,153,53 showing editable multi-line
              entry 'Name' 161,375,190,23 showing editable
              link 'A link' 351,376,47,19 showing
              image 'Photo' 398,341,50,50 showing
              section 'Editor' 8,398,1264,40 showing editable multi-line
              internal frame 'Frame' 8,438,304,154 showing
                document web 'Frame' 10,440,300,150 showing
                  paragraph '' 18,456,284,19 showing
              paragraph '' 8,612,1264,19 showing
        scroll pane '' 0,104,1280,796 visible
          internal frame '' 0,104,1280,796 visible
            document web 'Problem loading page' 0,104,1280,796 visible
              list item '• Check your network connection.' 528,432,472,18 visible
    """

  /// xfce4-terminal, VTE in GTK 3.
  static let terminal = """
    frame 'Terminal - ' 0,392,819,508 showing
      page tab list '' 1,437,817,458 showing
        page tab '' showing selected
          panel '' 1,437,817,458 showing
            scroll pane '' 1,437,817,458 showing
              terminal 'Terminal' 1,437,802,458 showing focusable
    """

  /// Nautilus 43, GTK 4.8: nothing is showing, and rows bear the names of classes.
  static let nautilus = """
    frame 'docs' 0,0,880,540 showing
      tool bar 'NautilusToolbar' 0,0,880,47 visible
        push button 'GtkButton' 117,9,65,28 visible focusable
          label 'Home' 139,9,43,28 visible
      filler 'AdwTabBar' 241,47,639,0 visible
        label 'docs' 241,47,0,0 visible
      filler 'Content View' 241,47,639,493 visible
        scroll pane '' 241,47,0,0 visible
        scroll pane '' 241,47,639,493 visible
          table 'GtkGridView' 256,62,609,463 visible focusable
            table cell 'NautilusGridCell' 260,65,144,130 visible focusable
              table cell 'Archive' 266,71,132,118 visible
                image 'GtkPicture' 284,71,96,96 visible
                label 'Archive' 266,173,132,16 visible
            table cell 'NautilusGridCell' 412,65,144,130 visible focusable
              table cell 'Holiday photos' 418,71,132,118 visible
                label 'Holiday photos' 418,173,132,16 visible
      list 'Sidebar' 0,47,240,493 visible
        list 'GtkListBox' 0,53,240,481 visible focusable
          list item '' 6,53,228,36 visible focusable
            label 'Starred' 44,53,174,36 visible
          list item '' 6,91,228,36 visible focusable
            label 'Home' 44,91,174,36 visible
    """

  /// PCManFM-Qt 1.2, icon view, Qt 5.15.
  static let pcmanfm = """
    frame 'docs' 1,415,640,480 showing
      split pane '' 1,477,640,359 showing
        page tab list 'docs' 155,477,486,32 showing
          page tab 'docs' 155,477,80,32 showing focused
          push button 'Scroll Left' 0,0,0,0 focusable
        layered pane '' 155,515,486,321 showing
          list '' 155,515,486,321 showing
            list item 'Archive' 156,516,101,103 showing focusable
            list item 'folder' 0,0,0,0 focusable
            list item '21 Nov 2026 15:15:17' 0,0,0,0 focusable
            list item 'root' 0,0,0,0 focusable
            list item 'folder1' 257,516,101,103 showing focusable
            list item 'folder' 0,0,0,0 focusable
          text '' 0,0,0,0 editable focusable
        combo box 'Lists' 1,477,150,25 showing focusable
          list '' 0,0,0,0 showing
            list item 'Lists' 0,0,756,25 showing focusable
            list item 'Directory Tree' 0,25,756,25 showing focusable
        tree '' 1,508,150,328 showing
          table column header '1'
          table column header '2'
          table cell 'Places' 1,508,150,17 showing
          table cell '' 1,508,150,17 showing focusable
          table cell 'root' 13,525,138,17 showing focusable
          table cell '' 1,525,150,17 showing focusable
          table cell 'Trash' 13,559,138,17 showing focusable
          table cell '' 1,559,150,17 showing focusable
      status bar '' 1,873,640,22 showing
        label '46 item(s)' 3,876,75,17 showing
    """
}
