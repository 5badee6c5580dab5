import { isJsonObject, type JsonObject } from './message.ts'

/** MCP Apps (SEP-1865): interfaces of servers that the client shows with the results of a tool. */
export const appsExtension = 'io.modelcontextprotocol/ui'
/** The form before the extension was final. */
const earlierKey = 'ui/resourceUri'

/** True if the client shows apps. */
export const showsApps = ({ extensions }: JsonObject): boolean =>
  isJsonObject(extensions) && extensions[appsExtension] !== undefined

/** True if the definition of a tool names its interface. */
export const hasApp = ({ _meta }: JsonObject): boolean =>
  isJsonObject(_meta) && (uiOf(_meta)['resourceUri'] ?? _meta[earlierKey]) !== undefined

export function appUriOf({ _meta }: JsonObject): string | undefined {
  const uri = isJsonObject(_meta) ? (uiOf(_meta)['resourceUri'] ?? _meta[earlierKey]) : undefined
  return typeof uri === 'string' ? uri : undefined
}

/** True if only apps may call the tool, and no model. */
export function isForAppsOnly({ _meta }: JsonObject): boolean {
  const { visibility } = uiOf(_meta)
  return Array.isArray(visibility) && visibility.length > 0 && !visibility.includes('model')
}

const uiOf = (meta: unknown): JsonObject => {
  const ui = isJsonObject(meta) ? meta['ui'] : undefined
  return isJsonObject(ui) ? ui : {}
}

/** A definition or result with the URI of its interface replaced, in both forms. */
export function withAppUri(item: JsonObject, replace: (uri: string) => string): JsonObject {
  const { _meta: meta } = item
  if (!hasApp(item) || !isJsonObject(meta)) return item
  const ui = uiOf(meta)
  const mapUri = (uri: unknown): unknown => (typeof uri === 'string' ? replace(uri) : uri)
  return {
    ...item,
    _meta: {
      ...meta,
      ...(ui['resourceUri'] !== undefined && {
        ui: { ...ui, resourceUri: mapUri(ui['resourceUri']) },
      }),
      ...(meta[earlierKey] !== undefined && { [earlierKey]: mapUri(meta[earlierKey]) }),
    },
  }
}
