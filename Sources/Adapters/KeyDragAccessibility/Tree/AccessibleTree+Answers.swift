import KeyDragBus
import KeyDragCore

struct AccessibleAnswer: Hashable, Sendable {
  var reply: BusReply
  var command: CommandName?
  /// The id that the registry assigns.
  var id: Int32?
}

/// The AT-SPI 2 interfaces that our objects have. Unknown calls are answered with an error, never
/// with silence.
extension AccessibleTree {
  func answer(_ call: BusCall) -> AccessibleAnswer {
    if call.path == Self.cache {
      guard call.interface == "org.a11y.atspi.Cache", call.member == "GetItems" else {
        return unknown(call)
      }
      let items = all.map(cacheItem)
      return AccessibleAnswer(
        reply: .values([.array(of: "((so)(so)(so)iiassusau)", items)]))
    }
    guard let object = object(call.path) else {
      return AccessibleAnswer(
        reply: .error(
          "org.freedesktop.DBus.Error.UnknownObject", "There is no such object any more."))
    }
    if call.interface == "org.freedesktop.DBus.Properties" { return property(call, object) }
    guard object.interfaces.contains(call.interface) else { return unknown(call) }
    if call.interface.hasSuffix(".Action") { return action(call, object) }
    if call.interface.hasSuffix(".Application") { return application(call) }
    let values = accessible(call, object)
    return values.map { AccessibleAnswer(reply: .values($0)) } ?? unknown(call)
  }

  private func unknown(_ call: BusCall) -> AccessibleAnswer {
    AccessibleAnswer(
      reply: .error(
        "org.freedesktop.DBus.Error.UnknownMethod", "This object has no such method."))
  }

  func reference(_ path: String) -> BusValue { .tuple([.string(busName), .path(path)]) }

  private static let nothing = BusValue.tuple([.string(""), .path(nowhere)])

  private func parent(of object: AccessibleObject) -> BusValue {
    object.parent.map(reference) ?? .tuple([.string(desktop.name), .path(desktop.path)])
  }

  // MARK: Accessible

  private func accessible(_ call: BusCall, _ object: AccessibleObject) -> [BusValue]? {
    switch call.member {
    case "GetRole": [.uint32(object.role.rawValue)]
    case "GetRoleName": [.string(RoleNames.name(Int(object.role.rawValue)))]
    case "GetLocalizedRoleName": [.string(object.role.word(in: phrases))]
    case "GetState": [.words(object.states.words)]
    case "GetChildren": [.array(of: "(so)", object.children.map(reference))]
    case "GetChildAtIndex": [child(of: object, at: call.arguments.first?.number)]
    case "GetIndexInParent": [.int32(object.parent == nil ? -1 : Int32(object.index))]
    case "GetApplication": [reference(Self.root)]
    case "GetAttributes": [.texts(object.attributes)]
    case "GetRelationSet": [.array(of: "(ua(so))", [])]
    case "GetInterfaces": [.strings(object.interfaces)]
    default: nil
    }
  }

  private func child(of object: AccessibleObject, at index: Int?) -> BusValue {
    guard let index, object.children.indices.contains(index) else { return Self.nothing }
    return reference(object.children[index])
  }

  private func cacheItem(_ object: AccessibleObject) -> BusValue {
    .tuple([
      reference(object.path), reference(Self.root), parent(of: object),
      .int32(object.parent == nil ? -1 : Int32(object.index)), .int32(Int32(object.children.count)),
      .strings(object.interfaces), .string(object.name), .uint32(object.role.rawValue),
      .string(""), .words(object.states.words),
    ])
  }

  // MARK: Application

  private func application(_ call: BusCall) -> AccessibleAnswer {
    switch call.member {
    case "GetLocale": AccessibleAnswer(reply: .values([.string("")]))
    // No direct connections are offered.
    case "GetApplicationBusAddress": AccessibleAnswer(reply: .values([.string("")]))
    case "RegisterEventListener", "DeregisterEventListener": AccessibleAnswer(reply: .values([]))
    default: unknown(call)
    }
  }

  // MARK: Action

  private func action(_ call: BusCall, _ object: AccessibleObject) -> AccessibleAnswer {
    if call.member == "GetActions" {
      let actions = object.actions.map { action in
        BusValue.tuple([.string(action.rawValue), .string(""), .string("")])
      }
      return AccessibleAnswer(reply: .values([.array(of: "(sss)", actions)]))
    }
    guard let index = call.arguments.first?.number, object.actions.indices.contains(index) else {
      return AccessibleAnswer(
        reply: .error("org.freedesktop.DBus.Error.InvalidArgs", "There is no such action."))
    }
    let action = object.actions[index]
    switch call.member {
    case "GetName", "GetLocalizedName":
      return AccessibleAnswer(reply: .values([.string(action.rawValue)]))
    case "GetDescription", "GetKeyBinding":
      return AccessibleAnswer(reply: .values([.string("")]))
    case "DoAction":
      let command = command(action)
      return AccessibleAnswer(reply: .values([.bool(command != nil)]), command: command)
    default: return unknown(call)
    }
  }

  // MARK: Properties

  private func property(_ call: BusCall, _ object: AccessibleObject) -> AccessibleAnswer {
    guard let interface = call.arguments.first?.text else { return unknown(call) }
    let properties = object.interfaces.contains(interface) ? properties(interface, object) : []
    if call.member == "GetAll" {
      let entries = properties.map { BusValue.entry(.string($0.name), .variant($0.value)) }
      return AccessibleAnswer(reply: .values([.array(of: "{sv}", entries)]))
    }
    guard call.arguments.count > 1, let name = call.arguments[1].text,
      let property = properties.first(where: { $0.name == name })
    else {
      return AccessibleAnswer(
        reply: .error(
          "org.freedesktop.DBus.Error.UnknownProperty", "This object has no such property."))
    }
    switch call.member {
    case "Get": return AccessibleAnswer(reply: .values([.variant(property.value)]))
    case "Set" where name == "Id" && call.arguments.count > 2:
      let id = call.arguments[2].number.flatMap { Int32(exactly: $0) }
      return AccessibleAnswer(reply: .values([]), id: id)
    case "Set":
      return AccessibleAnswer(
        reply: .error("org.freedesktop.DBus.Error.PropertyReadOnly", "It can only be read."))
    default: return unknown(call)
    }
  }

  private func properties(
    _ interface: String, _ object: AccessibleObject
  ) -> [(name: String, value: BusValue)] {
    switch interface {
    case "org.a11y.atspi.Accessible":
      [
        ("Name", .string(object.name)), ("Description", .string("")),
        ("Parent", parent(of: object)), ("ChildCount", .int32(Int32(object.children.count))),
        ("Locale", .string("")), ("AccessibleId", .string("")), ("HelpText", .string("")),
        ("version", .uint32(1)),
      ]
    case "org.a11y.atspi.Application":
      [
        ("ToolkitName", .string("KeyDrag")), ("ToolkitVersion", .string("1")),
        ("Version", .string("1")), ("AtspiVersion", .string("2.1")),
        ("InterfaceVersion", .uint32(1)), ("Id", .int32(id)), ("version", .uint32(1)),
      ]
    case "org.a11y.atspi.Action":
      [("NActions", .int32(Int32(object.actions.count))), ("version", .uint32(1))]
    case "org.a11y.atspi.Value":
      [
        ("MinimumValue", .double(0)), ("MaximumValue", .double(100)),
        ("MinimumIncrement", .double(1)), ("CurrentValue", .double(Double(object.percent ?? 0))),
        ("Text", .string(object.percent.map { "\($0)%" } ?? "")), ("version", .uint32(1)),
      ]
    default: []
    }
  }
}
