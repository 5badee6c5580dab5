import type { JsonObject } from '../../servers/src/protocol/message.ts'

const smallCapitals = [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ']
const wrapped = (width: number) => (text: string) =>
  text.replace(new RegExp(`(.{1,${width}}) `, 'g'), '$1\n')

/** Changes to a text that a reader, or a model, reads past. */
export const variants: Readonly<Record<string, (text: string) => string>> = {
  'as they are': (text) => text,
  'with a line break for each blank': (text) => text.replaceAll(' ', '\n'),
  'with a CRLF for each blank': (text) => text.replaceAll(' ', '\r\n'),
  'wrapped at 40': wrapped(40),
  'wrapped at 72': wrapped(72),
  'with a tab for each blank': (text) => text.replaceAll(' ', '\t'),
  'with hyphens in long words': (text) => text.replace(/(\p{L}{3})(\p{L}{3,})/gu, '$1-$2'),
  'with first letters as entities': (text) =>
    text.replace(/(?<!\p{L})\p{L}/gu, (letter) => `&#${letter.codePointAt(0)};`),
  'in small capitals': (text) =>
    text.replace(/[a-z]/gi, (letter) => smallCapitals[(letter.charCodeAt(0) & 31) - 1] ?? letter),
}

/** A definition with every text but its name changed. */
export const changed = (definition: JsonObject, change: (text: string) => string): JsonObject =>
  JSON.parse(JSON.stringify(definition), (key, value) =>
    typeof value === 'string' && key !== 'name' && key !== 'type' ? change(value) : value,
  )
