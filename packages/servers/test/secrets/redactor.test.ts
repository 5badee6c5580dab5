import { expect, test } from 'vitest'
import { createRedactor } from '../../src/secrets/redactor.ts'

function hiding(values: readonly string[]): (text: string) => string {
  const secrets = createRedactor()
  secrets.learn(values)
  return secrets.redact
}

test.each([
  ['as it is', 'token sk-secret-1 refused', 'token [redacted] refused'],
  ['behind a scheme', 'Bearer abc123def refused', '[redacted] refused'],
  ['line by line', 'MIIEvQIBADANBg', '[redacted]'],
  ['in JSON', '{"key":"with \\"quotes\\" in"}', '{"key":"[redacted]"}'],
  ['in an address', 'GET /?q=with%20%22quotes%22%20in', 'GET /?q=[redacted]'],
])('a secret is not shown %s', (_name, said, shown) => {
  const secrets = [
    'sk-secret-1',
    'Bearer abc123def',
    '-----BEGIN\nMIIEvQIBADANBg\n',
    'with "quotes" in',
  ]
  expect(hiding(secrets)(said)).toBe(shown)
})

test('values of less than six characters are words that happen to be said', () => {
  expect(hiding(['dev', ''])('a device in dev')).toBe('a device in dev')
  expect(hiding(['yacht', 'harbor'])('a yacht in a harbor')).toBe('a yacht in a [redacted]')
})

test('only what surely is secret is hidden from results, in whatever depth', () => {
  const secrets = createRedactor()
  secrets.learn(['production'])
  secrets.learn(['ghs-value-of-a-token'], true)
  const result = {
    content: [{ type: 'text', text: 'production has ghs-value-of-a-token' }],
    structuredContent: { 'ghs-value-of-a-token': [{ deep: 'x ghs-value-of-a-token' }] },
  }
  expect(secrets.redactIn(result)).toEqual({
    content: [{ type: 'text', text: 'production has [redacted]' }],
    structuredContent: { '[redacted]': [{ deep: 'x [redacted]' }] },
  })
  const harmless = { content: [{ type: 'text', text: 'production' }] }
  expect(secrets.redactIn(harmless)).toBe(harmless)
})

test.each([
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'sk-proj-abcdefghijklmnop1234',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def',
])('what looks like a token is hidden from logs, whoever it belongs to: %s', (token) => {
  expect(createRedactor().redact(`refused ${token}!`)).toBe('refused [redacted]!')
})

test('a secret is found in a long text as in a short one, in each of its forms', () => {
  const redactor = createRedactor()
  const secret = 'a secret/of+this server'
  redactor.learn([secret], true)
  const forms = [
    secret,
    ...[0, 1, 2].map((offset) => Buffer.from('-'.repeat(offset) + secret).toString('base64')),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    JSON.stringify(secret),
  ]
  const filling = 'a line of a table\n'.repeat(1_000)
  for (const form of forms) {
    const short = redactor.redactIn(`: ${form} .`)
    expect(short).toContain('[redacted]')
    expect(redactor.redactIn(`${filling}: ${form} .${filling}`)).toBe(filling + short + filling)
  }
})
