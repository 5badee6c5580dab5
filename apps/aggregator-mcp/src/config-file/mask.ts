import { createRedactor, looksRandom, secretsIn, secretsInArgs } from '@pith-mcp/aggregator'
import { replaceTexts, type TextNode, textsIn } from '@pith-mcp/server-kit/files'

/** Stands for a text that is never sent to a browser. */
export const mask = '••••••'

/** `${NAME}`, `${env:NAME}` and lookups are no secrets; a default after `:-` may be one. */
const reference =
  /^(?:(?:Bearer|Basic|Token) )?\$\{(?:(?:env:)?[A-Za-z_]\w*|(?:file|keychain|command):[^}]*)\}$/i

/** Paths of variables and headers, of a server or its account: only who may change them sees any. */
const hidden = /^(?:mcpServers|servers)\0[^\0]+\0(?:accounts\0[^\0]+\0)?(?:env|headers)\0[^\0]+$/
/** Paths of texts that are secret whatever they look like. */
const secretPaths = [
  /^(?:mcpServers|servers)\0[^\0]+\0oauth\0(?:clientSecret|privateKey)$/,
  /^aggregator\0(?:callers\0[^\0]+\0token|embeddings\0apiKey|limits\0redis)$/,
]
const ofServers = /^(?:mcpServers|servers)\0/

type Place = readonly string[]
const isAt = (path: Place, ...patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => pattern.test(path.join('\0')))

/** Whether a text at this path has a secret part that is written in clear. */
export const isInClear = (path: Place, text: string): boolean =>
  !reference.test(text) &&
  (isAt(path, ...secretPaths) ||
    (isAt(path, hidden) && secretsIn(path.at(-1), text).length > 0) ||
    (isAt(path, ofServers) && secretsIn(undefined, text).length > 0))

/** What is shown of a configuration, and to whom. */
export interface Masking {
  /** What stands for a secret. */
  maskOf?: (node: TextNode) => string
  /** Also variables and headers without one: for who may change them. */
  showsPlain?: boolean
}

/** The text of a configuration without its secrets. */
export function maskedText(
  text: string,
  { maskOf = () => mask, showsPlain }: Masking = {},
): string {
  const nodes = textsIn(text)
  const redactor = createRedactor()
  const isHidden = ({ path, value }: TextNode): boolean =>
    !reference.test(value) &&
    (isAt(path, ...secretPaths) || (isAt(path, hidden) && (!showsPlain || isInClear(path, value))))
  // Ordinary words are not replaced where else they occur.
  redactor.learn(
    nodes
      .filter(isHidden)
      .map(({ value }) => value)
      .filter(looksRandom),
  )
  redactor.learn(secretsInArgs(nodes.flatMap(({ path, value }) => (isArg(path) ? value : []))))
  return replaceTexts(text, (node) => {
    const { path, value } = node
    if (isHidden(node)) return maskOf(node)
    const parts = isAt(path, ofServers) ? secretsIn(undefined, value) : []
    const judged = parts.reduce((rest, part) => rest.replaceAll(part, mask), withoutKeys(value))
    const visible = redactor.redact(judged).replaceAll('[redacted]', mask)
    return visible === value ? value : visible.replaceAll(mask, maskOf(node))
  })
}

const isArg = (path: Place): boolean => path.at(-2) === 'args'

/** The user and the query of a URL may be a key. */
const withoutKeys = (text: string): string =>
  /^\w+:\/\//.test(text)
    ? text.replace(/\/\/[^/@]*@/, `//${mask}@`).replace(/\?.*$/s, `?${mask}`)
    : text
