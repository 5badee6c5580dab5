import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const folder = '.github/ISSUE_TEMPLATE'
const read = (file: string): unknown => parse(readFileSync(`${folder}/${file}`, 'utf8'))

/** Fields of a form, of the kinds that ours have. */
const field = z.strictObject({
  type: z.enum(['dropdown', 'input', 'textarea']),
  id: z.string().regex(/^[a-z]+$/),
  attributes: z.strictObject({
    label: z.string().min(1),
    description: z.string().optional(),
    placeholder: z.string().optional(),
    render: z.string().optional(),
    options: z.array(z.string()).min(1).optional(),
  }),
  validations: z.strictObject({ required: z.boolean() }).optional(),
})

const form = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  labels: z.array(z.string()),
  body: z
    .array(field)
    .min(1)
    .refine((body) => new Set(body.map(({ id }) => id)).size === body.length)
    .refine((body) => body.some(({ validations }) => validations?.required)),
})

test.each(readdirSync(folder).filter((file) => file !== 'config.yml'))(
  '%s is a form that GitHub can show',
  (file) => {
    form.parse(read(file))
    expect(form.safeParse({ ...form.parse(read(file)), body: [] }).success).toBe(false)
  },
)

test('vulnerabilities are not reported in issues', () => {
  const { contact_links: links } = z
    .object({ contact_links: z.array(z.object({ url: z.url() })) })
    .parse(read('config.yml'))
  expect(links.map(({ url }) => url)).toContain(
    'https://github.com/pith-mcp/pith/security/advisories/new',
  )
})
