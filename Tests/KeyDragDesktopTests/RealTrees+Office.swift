/// Trees of programs as they were read, shortened: office and browser.
extension RealTrees {
  /// Nautilus 43 in its list, GTK 4.8, its names of classes left out.
  static let nautilusList = """
    frame 'docs' 0,0,880,540 showing
      text '' 104,0,400,28 visible editable focusable
      filler 'Content View' 241,47,639,493 visible
        scroll pane '' 241,47,639,493 visible
          tree table 'GtkColumnView' 265,47,591,493 visible
            table row 'Name' 265,47,591,30 visible focusable
              label 'Name' 271,50,39,24 visible
              label 'Size' 651,50,28,24 visible
            list 'GtkColumnListView' 241,89,639,427 visible focusable
              table row 'Archive' 265,93,591,44 visible focusable
                table cell 'Archive' 265,93,379,44 visible
                  label 'Archive' 309,107,49,16 visible
                table cell '2 items' 645,93,76,44 visible
                  label '2 items' 651,107,64,16 visible
              table row 'Holiday photos' 265,145,591,44 visible focusable
                table cell 'Holiday photos' 265,145,379,44 visible
                  label 'Holiday photos' 309,159,90,16 visible
                table cell '0 items' 645,145,76,44 visible
                  label '0 items' 651,159,64,16 visible
      list 'Sidebar' 0,47,240,493 visible
        list 'GtkListBox' 0,53,240,481 visible focusable
          list item '' 6,53,228,36 visible focusable
            label 'Starred' 44,53,174,36 visible
    """

  /// LibreOffice Writer 7.4 in GTK 3, its rectangles put right.
  static let writer = """
    frame 'shopping.odt - LibreOffice Writer' 100,60,1000,760 showing
      scroll pane '' 100,163,941,635 showing
        document text 'shopping - LibreOffice Document' 100,188,927,610 showing editable
          heading '' 167,283,793,44 showing editable focusable focused
          paragraph '' 167,327,793,27 showing editable focusable
          table 'Prices-1' 167,372,793,19 showing editable
            table cell 'A1' 242,372,321,19 showing editable
              paragraph '' 242,372,321,19 showing editable focusable
            table cell 'B1' 563,372,322,19 showing editable
              paragraph '' 563,372,322,19 showing editable focusable
          paragraph '' 167,391,793,19 showing editable focusable
      tool bar 'Formatting' 100,124,1000,39 showing focusable
        panel 'Paragraph Style' 104,126,189,34 showing focusable
          text '' 104,126,153,34 showing editable focusable
        panel 'Font Size' 582,126,101,34 showing focusable
          text '' 582,126,65,34 showing editable focusable
    """

  /// LibreOffice Calc 7.4 in GTK 3, its rectangles put right.
  static let calc = """
    frame 'prices.ods - LibreOffice Calc' 100,60,1000,760 showing
      scroll pane '' 100,205,941,593 showing
        document spreadsheet 'file:///tmp/prices.ods - LibreOffice Spreadsheets' 141,223,886,538 showing editable
          table 'Sheet prices' 141,223,886,538 showing editable focusable focused
            table cell 'A1' 141,223,49,17 showing editable focusable
            table cell 'B1' 190,223,43,17 showing editable focusable
            table cell 'A2' 141,240,49,17 showing editable focusable
            table cell 'B2' 190,240,43,17 showing editable focusable
        page tab list '' 240,776,400,22 showing
          page tab 'prices' 240,776,60,22 showing
      tool bar 'Formula Tool Bar' 100,163,941,42 showing focusable
        text '' 104,165,126,34 showing editable focusable
    """

  /// LibreOffice Impress 7.4 in GTK 3, its rectangles put right.
  static let impress = """
    frame 'talk.odp - LibreOffice Impress' 0,0,1280,900 showing
      scroll pane '' 191,122,701,756 showing
        document presentation 'talk.odp - LibreOffice Presentation' 191,122,686,741 showing focusable
          panel 'PageShape: Slide 1' 201,305,667,375 showing focusable
          panel 'PresentationTitle ' 234,320,600,63 showing focusable
            paragraph '' 234,330,310,44 showing focusable
          image 'GraphicObjectShape ' 515,479,38,25 showing focusable focused
            paragraph '' 534,480,1,18 showing focusable
      panel '' 0,124,180,752 showing
        scroll pane '' 3,159,174,714 showing
          document frame 'Slides View' 3,159,174,714 showing focusable
            panel 'Slide 1' 11,167,158,82 showing selected focusable
      panel 'Properties' 901,122,330,590 showing
        text '' 911,177,200,32 showing editable focusable
        drawing area '' 905,470,320,190 showing focusable
    """

  /// GIMP 2.10, GTK 2 with its module for accessibility.
  static let gimp = """
    frame '[red] (imported)-1.0 (RGB color, 2 layers) 60x40 – GIMP' 200,100,1026,793 showing
      page tab list '' 201,304,188,584 showing focusable
        page tab '' 203,330,0,0 showing
          panel '' 203,330,184,556 showing
            text '' 220,469,112,28 showing editable focusable
      page tab list '' 391,147,629,741 showing
        page tab '' 393,191,0,0 showing
          panel '' 393,191,625,695 showing
            panel '' 393,191,607,647 showing
              panel '' 410,208,590,630 showing focusable focused
      page tab list '' 1022,484,203,404 showing focusable
        page tab '' 1026,490,18,18 showing
          tree '' 1025,612,197,245 showing focusable
            table cell 'blue.png' 1141,613,80,28 showing
            table cell 'red.png' 1141,642,80,28 showing
    """

  /// A page in Chromium 156.
  static let chromium = """
    frame 'Drop page - Chromium' 50,40,1100,800 showing
      panel '' 50,40,1100,800 showing
        tool bar '' 54,80,1092,46 showing
          entry 'Address and search bar' 243,91,774,24 showing editable focusable
        document web 'Drop page' 54,183,1092,653 showing
          section '' 62,200,1076,40 showing {tag: div}
          landmark 'Upload area' 62,366,304,85 showing focusable {tag: div}
          entry 'Notes' 113,471,202,61 showing editable focusable {tag: textarea}
          push button 'Attach: No file chosen' 119,577,290,22 showing focusable {tag: input}
          push button 'Send' 420,577,60,22 showing focusable {tag: button}
          image 'A red square' 186,298,64,49 showing {tag: img}
        page tab list '' 82,40,256,41 showing
          page tab 'Drop page' 82,40,256,41 showing focusable
    """
}
