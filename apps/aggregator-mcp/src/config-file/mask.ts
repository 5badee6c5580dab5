import { createRedactor, looksRandom, secretsInArgs } from '@pith-mcp/aggregator'
import { replaceTexts, type TextNode, textsIn } from '@pith-mcp/server-kit/files'

/** Stands for a text that is never sent to a browser. */
export const mask = '••••••'

/** `${NAME}`, `${env:NAME}` and lookups are no secrets; a default after `:-` may be one. */
const reference =
  /^(?:(?:Bearer|Basic|Token) )?\$\{(?:(?:env:)?[A-Za-z_]\w*|(?:file|keychain|command):[^}]*)\}$/i

/** Paths of texts that are secret: of a server or its account, or of `aggregator`. */
const secretPaths = [
  /^(?:mcpServers|servers)\0[^\0]+\0(?:accounts\0[^\0]+\0)?(?:env|headers)\0[^\0]+$/,
  /^(?:mcpServers|servers)\0[^\0]+\0oauth\0(?:clientSecret|privateKey)$/,
  /^aggregator\0(?:callers\0[^\0]+\0token|embeddings\0apiKey|limits\0redis)$/,
]

/** Whether a text at this path is secret, and written in clear. */
export const isInClear = (path: readonly string[], text: string): boolean =>
  secretPaths.some((pattern) => pattern.test(path.join('\0'))) && !reference.test(text)

/** The text of a configuration without its secrets. `maskOf` is what stands for one. */
export function maskedText(text: string, maskOf: (node: TextNode) => string = () => mask): string {
  const nodes = textsIn(text)
  const redactor = createRedactor()
  // Ordinary words are not replaced where else they occur.
  const secrets = nodes.filter(({ path, value }) => isInClear(path, value) && looksRandom(value))
  redactor.learn(secrets.map(({ value }) => value))
  redactor.learn(secretsInArgs(nodes.flatMap(({ path, value }) => (isArg(path) ? value : []))))
  return replaceTexts(text, (node) => {
    const { path, value } = node
    if (isInClear(path, value)) return maskOf(node)
    const visible = redactor.redact(withoutKeys(value)).replaceAll('[redacted]', mask)
    return visible === value ? value : visible.replaceAll(mask, maskOf(node))
  })
}

const isArg = (path: readonly string[]): boolean => path.at(-2) === 'args'

/** The user and the query of a URL may be a key. */
const withoutKeys = (text: string): string =>
  /^\w+:\/\//.test(text)
    ? text.replace(/\/\/[^/@]*@/, `//${mask}@`).replace(/\?.*$/s, `?${mask}`)
    : text
