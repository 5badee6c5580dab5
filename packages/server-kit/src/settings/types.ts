import { z } from 'zod'

/** How a variable says no. */
export const isOff = (text: string): boolean => /^(?:|0|false|no|off)$/i.test(text)

/** True or false; a text is true unless it says no. */
export const onOff = (preset: boolean): z.ZodType<boolean> =>
  z
    .preprocess((value) => (typeof value === 'string' ? !isOff(value) : value), z.boolean())
    .default(preset)

/** A list; as a text, JSON or separated by commas or lines, because a path may contain blanks. */
export const listOf = <Member>(member: z.ZodType<Member>): z.ZodType<Member[]> =>
  z
    .preprocess((value) => (typeof value === 'string' ? membersIn(value) : value), z.array(member))
    .default([])

function membersIn(text: string): unknown {
  if (text.trim().startsWith('[')) return parseJson(text)
  const members = text.split(/[,\n]+/).map((name) => name.trim())
  return members.filter(Boolean)
}

/** The value of a JSON text; undefined if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
