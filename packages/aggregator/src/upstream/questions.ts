import type { AskKind } from '#servers/config/server-entry'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { escapeInvisible } from '#servers/protocol/escape-invisible'
import {
  isJsonObject,
  type JsonObject,
  type Message,
  RpcError,
  rpcCodes,
} from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import { qualifiedName, type ServerAccount } from '#servers/protocol/server-account'

/** What a server asked, for the journal. */
export interface Asked {
  server: ServerAccount
  /** Whose request the server works on. */
  session: Session
  method: string
  /** At most 300 characters. */
  text: string
  isRefused: boolean
}

/** Questions of a server in one request of a client. */
const maxQuestions = 16
/** Characters of a message that a user reads. */
const maxMessageLength = 2_000
/** Characters of a question as JSON. */
const maxLength = 256 * 1024
/** Tokens that a server may have a client's model write at once. */
const maxSampledTokens = 16_384

const kinds: Readonly<Record<string, AskKind>> = {
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

const asking = 'elicitation/create'

const kindOf = ({ method, params }: Message): AskKind | undefined =>
  method === asking
    ? [undefined, null, 'form'].includes(params?.['mode'] as never)
      ? 'form'
      : 'url'
    : kinds[method]

/** Whether a client with these capabilities can answer a question with these parameters. */
const canAnswer: Readonly<Record<AskKind, (client: JsonObject, params: JsonObject) => boolean>> = {
  form: ({ elicitation: modes }) =>
    modes !== undefined && (Object(modes).form !== undefined || !Object(modes).url),
  url: ({ elicitation: modes }) => Object(modes).url !== undefined,
  sampling: ({ sampling }, { tools }) =>
    sampling !== undefined && (tools === undefined || Object(sampling).tools !== undefined),
  roots: ({ roots }) => roots !== undefined,
}

/** Methods that no capability is known for are left to the client. */
export function canShow(question: Message, client: JsonObject): boolean {
  const kind = kindOf(question)
  return kind === undefined || canAnswer[kind](client, question.params ?? {})
}

/** The answer for a client that cannot show the question. @throws {RpcError} as it would itself */
export function answerInstead(question: Message): JsonObject {
  if (question.method === asking) return { action: 'cancel' }
  if (question.method === 'roots/list') return { roots: [] }
  throw new RpcError(rpcCodes.methodNotFound, `${question.method}: the client does not support it.`)
}

/** Counts the questions of one request of a client. */
export interface QuestionCount {
  session: Session
  asked: number
}

/** Questions of one server: which it may ask, how many, and how a client is shown whose they are. */
export class Questions {
  readonly #server: ServerAccount & { asks?: readonly AskKind[] | undefined }
  readonly #byDefault: readonly AskKind[] | undefined
  readonly #note: (question: Asked) => void

  /** `byDefault`: what servers may ask that have no `asks`; undefined: all. */
  constructor(
    server: ServerAccount & { asks?: readonly AskKind[] | undefined },
    byDefault: readonly AskKind[] | undefined,
    note: (question: Asked) => void = () => {},
  ) {
    this.#server = server
    this.#byDefault = byDefault
    this.#note = note
  }

  get #allowed(): readonly AskKind[] | undefined {
    return this.#server.asks ?? this.#byDefault
  }

  /**
   * The question with the name of its server, for the client. `isShown` is false if the client
   * cannot show it. @throws {AggregatorError} `cannot_ask`
   */
  admit(question: Message, count: QuestionCount, isShown = true): Message {
    const { method } = question
    const params = isJsonObject(question.params) ? question.params : {}
    const message = { method, params }
    const refusal = this.#refusalOf(message, ++count.asked)
    const text = String(params['message'] ?? params['systemPrompt'] ?? '').slice(0, 300)
    const { session } = count
    // A server that goes on must not fill the journal.
    const isRefused = refusal !== undefined || !isShown
    if (count.asked <= maxQuestions + 1)
      this.#note({ server: this.#server, session, method, text, isRefused })
    if (refusal !== undefined) throw refusal
    return { ...question, params: shownTo(qualifiedName(this.#server), kindOf(message), params) }
  }

  /** Those of a result that asks for input. */
  admitIn(result: JsonObject, count: QuestionCount): JsonObject {
    const { inputRequests } = result
    if (inputRequests === undefined || inputRequests === null) return result
    const questions = Object.entries(inputRequests)
    if (!isJsonObject(inputRequests) || !questions.every(([, question]) => isQuestion(question)))
      throw cannotAsk(
        `The server ${this.#server.name} asks in a form that cannot be read.`,
        'Nothing was asked.',
      )
    const admitted = questions.map(([key, question]) => [
      key,
      this.admit(question as unknown as Message, count),
    ])
    return { ...result, inputRequests: Object.fromEntries(admitted) }
  }

  /** The capabilities of a client that the server may use. */
  declared(capabilities: JsonObject): JsonObject {
    const allowed = this.#allowed
    if (allowed === undefined) return capabilities
    const { elicitation, sampling, roots, ...rest } = capabilities
    const modes = isJsonObject(elicitation) ? elicitation : {}
    const isForm = allowed.includes('form') && canAnswer.form(capabilities, {})
    const isUrl = allowed.includes('url') && canAnswer.url(capabilities, {})
    return {
      ...rest,
      ...((isForm || isUrl) && {
        elicitation: {
          ...(isForm && modes['form'] !== undefined && { form: modes['form'] }),
          ...(isUrl && { url: modes['url'] }),
        },
      }),
      ...(sampling !== undefined && allowed.includes('sampling') && { sampling }),
      ...(roots !== undefined && allowed.includes('roots') && { roots }),
    }
  }

  #refusalOf(message: Message, number: number): AggregatorError | undefined {
    const kind = kindOf(message)
    const { name } = this.#server
    const allowed = this.#allowed
    if (allowed !== undefined && (kind === undefined || !allowed.includes(kind)))
      return cannotAsk(
        `${message.method}: the server ${name} may not ask for ${kind ?? 'this'}.`,
        kind === undefined
          ? 'It was not passed on.'
          : `An operator can allow it: "asks": ["${kind}"] of ${name} in the configuration.`,
      )
    const { url } = message.params ?? {}
    if (
      kind === 'url' &&
      !/^https?:$/.test(URL.canParse(String(url)) ? new URL(String(url)).protocol : '')
    )
      return cannotAsk(
        `${message.method}: the server ${name} asks to open what is no web page.`,
        'It was not passed on.',
      )
    if (number > maxQuestions)
      return cannotAsk(
        `${message.method}: the server ${name} has asked ${maxQuestions} times in one request.`,
        'It is not asked for the user again.',
      )
    return JSON.stringify(message.params ?? {}).length > maxLength
      ? cannotAsk(
          `${message.method}: the question of ${name} has more than ${maxLength} characters.`,
          'It was not passed on.',
        )
      : undefined
  }
}

const cannotAsk = (message: string, remedy: string): AggregatorError =>
  new AggregatorError('cannot_ask', message, remedy)

const serverKey = 'io.github.pith-mcp/server'

function shownTo(name: string, kind: AskKind | undefined, params: JsonObject): JsonObject {
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
  const base = { ...visible(params), _meta: { ...meta, [serverKey]: name } }
  if (kind === 'form') return { ...base, message: `${name} asks: ${readable(params['message'])}` }
  if (kind === 'url') {
    const { url } = params
    const host = URL.canParse(String(url)) ? new URL(String(url)).host : 'an invalid address'
    return { ...base, message: `${name} asks you to open ${host}: ${readable(params['message'])}` }
  }
  if (kind !== 'sampling') return base
  const { systemPrompt, maxTokens } = params
  const whose = `This is a request of the MCP server ${name}.`
  return {
    ...base,
    systemPrompt:
      typeof systemPrompt === 'string' ? `${whose}\n\n${readableLines(systemPrompt)}` : whose,
    ...(typeof maxTokens === 'number' && { maxTokens: Math.min(maxTokens, maxSampledTokens) }),
    // For the client, this server is all servers here.
    ...(params['includeContext'] !== undefined && { includeContext: 'none' }),
  }
}

const readableLines = (text: string): string => text.split('\n').map(escapeInvisible).join('\n')

/** The texts of a form, which a user reads, without what is invisible; messages of models stay. */
function visible(params: JsonObject): JsonObject {
  const { requestedSchema } = params
  if (requestedSchema === undefined) return params
  const schema = JSON.parse(JSON.stringify(requestedSchema), (_key, value) =>
    typeof value === 'string' ? readableLines(value) : value,
  )
  return { ...params, requestedSchema: schema }
}

const isQuestion = (value: unknown): boolean =>
  isJsonObject(value) && typeof value['method'] === 'string'

/** Lines stay; what a terminal would obey, or a user not see, does not. */
function readable(message: unknown): string {
  const text = readableLines(String(message ?? ''))
  return text.length <= maxMessageLength
    ? text
    : `${text.slice(0, maxMessageLength)}… (${text.length - maxMessageLength} more characters)`
}
