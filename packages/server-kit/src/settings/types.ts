import { isIP } from 'node:net'
import { z } from 'zod'
import { attempt } from '#base/attempt'

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

/** Addresses and networks, `10.0.0.0/8`; also several in one member. */
export const networks = (): z.ZodType<string[]> =>
  listOf(z.string())
    .transform((texts) => texts.flatMap((text) => text.split(',')).map((text) => text.trim()))
    .pipe(z.array(z.string().refine(isNetwork, 'must be an address or a network: 10.0.0.0/8')))

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = { 4: 32, 6: 128 }[isIP(address)]
  return (
    most !== undefined &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
}

function membersIn(text: string): unknown {
  if (text.trim().startsWith('[')) return parseJson(text)
  const members = text.split(/[,\n]+/).map((name) => name.trim())
  return members.filter(Boolean)
}

/** The value of a JSON text; undefined if it is not valid. */
export const parseJson = (text: string): unknown => attempt(() => JSON.parse(text), undefined)
