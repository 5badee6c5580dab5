import { expect, test } from 'vitest'
import { isInClear, mask, maskedText } from '../../src/config-file/mask.ts'

test('no secret is in the masked text, and everything else is', () => {
  const secrets = [
    'sk-env-value-1',
    'basic dXNlcjpwdw==9',
    'client-secret-3',
    'token-of-ada-4',
    'api-key-value-5',
    'redis://u:pw6@host',
    'arg-token-value-7',
    'account-token-8',
    'password9',
    'key-in-query-10',
    'with-default-11',
  ]
  const [env, header, client, caller, api, redis, arg, account, user, query, fallback] = secrets
  const config = {
    mcpServers: {
      notes: {
        command: 'node',
        args: ['server.js', '--token', arg, '--port', '1', `--key=${env}`],
        env: { A: env, B: '${B}', C: '${env:C}', D: `\${D:-${fallback}}`, E: '${keychain:pith/e}' },
        accounts: { work: { env: { A: account } } },
        description: 'Notes of the team',
      },
      web: {
        url: `https://me:${user}@example.com/mcp?key=${query}`,
        headers: { Authorization: header, Other: 'Bearer ${OTHER}' },
        oauth: { clientId: 'id', clientSecret: client },
      },
    },
    aggregator: {
      callers: { ada: { token: caller, profile: 'p' } },
      embeddings: { url: 'http://localhost', model: 'm', apiKey: api },
      limits: { redis },
    },
  }
  const text = `// comment\n${JSON.stringify(config, null, 2)}`
  const masked = maskedText(text)
  for (const secret of secrets) expect(masked).not.toContain(secret)
  for (const plain of [
    ...['// comment', 'server.js', '${B}', '${env:C}', '${keychain:pith/e}', 'Bearer ${OTHER}'],
    ...['Notes of the team', '"clientId": "id"', '"profile": "p"', 'example.com/mcp', 'localhost'],
  ])
    expect(masked).toContain(plain)
  expect(masked.split('\n')).toHaveLength(text.split('\n').length)
})

test('who may change variables sees those that are no secret', () => {
  const env = { FOLDER: '/srv/notes', API_KEY: 'hush-hush-7', URL: 'postgres://a:pw-of-a@db/x' }
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', env } } })
  expect(maskedText(text)).not.toMatch(/notes|hush|pw-of/)
  const shown = maskedText(text, { showsPlain: true })
  expect(shown).toContain('/srv/notes')
  expect(shown).not.toMatch(/hush|pw-of/)
})

test('an ordinary word in a variable is not masked elsewhere', () => {
  const text = JSON.stringify({
    mcpServers: {
      a: { command: 'x', env: { MODE: 'production' }, description: 'production notes' },
    },
  })
  expect(maskedText(text)).toContain('production notes')
  expect(maskedText(text)).toContain(`"MODE":"${mask}"`)
})

test('texts in clear are those that are no reference', () => {
  const at = ['mcpServers', 'a', 'env', 'API_TOKEN']
  expect(isInClear(at, 'abc123')).toBe(true)
  expect(isInClear(at, '${A}')).toBe(false)
  expect(isInClear(at, 'Bearer ${A}')).toBe(false)
  expect(isInClear(at, '${A}b1')).toBe(true)
  expect(isInClear(at, '${A:-b1}')).toBe(true)
  // A path is no secret, nor is an ordinary word.
  expect(isInClear(['mcpServers', 'a', 'env', 'MEMORY_FILE_PATH'], '/srv/memory.json')).toBe(false)
  expect(isInClear(['mcpServers', 'a', 'env', 'MODE'], 'production')).toBe(false)
  expect(isInClear(['mcpServers', 'a', 'args', '0'], 'postgres://a:b1c2d3@db/x')).toBe(true)
  expect(isInClear(['mcpServers', 'env', 'command'], 'x')).toBe(false)
})
