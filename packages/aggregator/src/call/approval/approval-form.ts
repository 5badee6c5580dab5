import { attempt } from '#base/attempt'
import { mixedWords } from '#scan/lookalikes'
import { escapeInvisible } from '#servers/protocol/escape-invisible'
import { isJsonObject, type JsonObject, type Message } from '#servers/protocol/message'
import { qualifiedName } from '#servers/protocol/server-account'
import type { Grant } from './approval.ts'
import type { Question } from './approvals.ts'

/** Characters of arguments that a form shows; a call with longer ones is answered elsewhere. */
export const maxFormLength = 4_000

const choices: Readonly<Record<Grant, string>> = {
  once: 'This call',
  session: 'The same call, in this session',
  kept: 'The same call, until it is revoked',
}

/** Asks the user of a client about a call, with all that is sent. */
export const approvalForm = (question: Question): Message => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: textOf(question),
    requestedSchema: {
      type: 'object',
      properties: {
        approve: {
          type: 'string',
          title: 'Approve',
          enum: Object.keys(choices),
          enumNames: Object.values(choices),
          default: 'once',
        },
      },
    },
  },
})

/** The lines of a server begin with its name; those of arguments are indented. */
function textOf({ server, account, tool, args, setting, reason }: Question): string {
  // What hides a secret may be no JSON any more.
  const json = attempt(() => JSON.stringify(JSON.parse(args), null, 2), args)
  const lines = json.split('\n').map(escapeInvisible)
  return [
    `Approve this call? ${qualifiedName({ name: server, account })}, ${escapeInvisible(tool)}:`,
    ...lines.map((line) => `  ${line}`),
    ...mixedWords(args).map(
      (word) => `Has letters that only look like others: ${escapeInvisible(word)}`,
    ),
    `Asked because of ${setting}${reason === undefined ? '' : `: ${escapeInvisible(reason)}`}`,
  ].join('\n')
}

/** What the user chose; undefined for a refusal, a cancellation, and what is no answer. */
export function grantIn({ action, content }: JsonObject): Grant | undefined {
  const values = content ?? {}
  if (action !== 'accept' || !isJsonObject(values)) return undefined
  const { approve = 'once' } = values
  const isChoice = typeof approve === 'string' && Object.hasOwn(choices, approve)
  return isChoice ? (approve as Grant) : undefined
}
