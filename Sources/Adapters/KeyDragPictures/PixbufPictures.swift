import CPixbuf
import KeyDragCore

package struct PixbufPictures: PictureReading {
  /// Each takes four bytes of memory while decoding.
  package static let mostPixels = 64_000_000
  private static let piece = 65_536

  package init() {}

  package func read(_ data: [UInt8]) throws(Reason) -> PictureFacts {
    guard !data.isEmpty else { throw .nothingThere }
    guard let loader = gdk_pixbuf_loader_new() else { throw .unknown }
    defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
    var size = Size()
    let isWhole = withUnsafeMutablePointer(to: &size) { size in
      keydrag_on_size(
        loader,
        { loader, width, height, data in
          guard let size = data?.assumingMemoryBound(to: Size.self) else { return }
          size.pointee.width = Int(width)
          size.pointee.height = Int(height)
          // A size of zero stops decoding before memory is allocated.
          if size.pointee.isTooBig { gdk_pixbuf_loader_set_size(loader, 0, 0) }
        }, size)
      return feed(loader, data)
    }
    if size.isTooBig { throw .tooBig }
    guard isWhole, ImageTrailer.isThere(in: data), size.width > 0, size.height > 0,
      gdk_pixbuf_loader_get_pixbuf(loader) != nil, let type = type(loader)
    else { throw .malformed }
    return PictureFacts(width: size.width, height: size.height, contentType: type)
  }

  private struct Size {
    var width = 0
    var height = 0

    /// Both factors come from 32-bit values, so the product can't overflow.
    var isTooBig: Bool { width * height > PixbufPictures.mostPixels }
  }

  /// The loader is always closed, which also detects truncated data.
  private func feed(_ loader: UnsafeMutablePointer<GdkPixbufLoader>, _ data: [UInt8]) -> Bool {
    var isGood = true
    var offset = 0
    while isGood, offset < data.count {
      let count = min(Self.piece, data.count - offset)
      isGood = data[offset..<(offset + count)].withUnsafeBufferPointer { bytes in
        gdk_pixbuf_loader_write(loader, bytes.baseAddress, UInt(count), nil) != 0
      }
      offset += count
    }
    let isClosed = gdk_pixbuf_loader_close(loader, nil) != 0
    return isGood && isClosed
  }

  private func type(_ loader: UnsafeMutablePointer<GdkPixbufLoader>) -> String? {
    guard let format = gdk_pixbuf_loader_get_format(loader),
      let types = gdk_pixbuf_format_get_mime_types(format)
    else { return nil }
    defer { g_strfreev(types) }
    return types[0].map { String(cString: $0) }
  }
}
