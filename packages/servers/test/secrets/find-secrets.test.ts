import { expect, test } from 'vitest'
import { looksRandom, secretsIn, secretsInArgs } from '../../src/secrets/find-secrets.ts'

const X = 'Zq7wPx3Lk9'
const basic = Buffer.from(`user:${X}`).toString('base64')

const places: readonly (readonly string[])[] = [
  ['--password', X],
  [`--password=${X}`],
  [`PASSWORD=${X}`],
  [X],
  ['-u', `user:${X}`],
  ['--admin-user', `root:${X}`],
  ['--header', `X-Api-Key: ${X}`],
  ['-H', `Authorization: Bearer ${X}`],
  ['-H', `Authorization: Basic ${basic}`],
  [`Server=a;User Id=b;Password=${X};`],
  ['--dsn', `host=a user=b password=${X}`],
  [`postgres://u:${X}@/db?host=/sock`],
  [`jdbc:postgresql://h/db?password=${X}`],
  [`redis://:${X}@h`],
  [`mongodb+srv://u:${X}@h/db`],
  [`user:${X}@host:5432/db`],
  [`scott/${X}@db:1521/orcl`],
  ['-c', `FOO=1 TOKEN=${X} cmd`],
  ['-c', `cmd --token ${X} --quiet`],
  [`{"auth":{"password":"${X}"}}`],
  [`db:\n  host: a\n  password: ${X}\n`],
  [`password = "${X}"`],
  [`--credentials=u:${X}`],
  [`https://h.example/bot1:${X}/x`],
  [`https://h.example/s/${X}.json`],
  [`https://h.example/?key=${X}`],
  [`https://h.example/?${X}`],
  [`https://h.example/#token=${X}`],
  [`https://${X}@h.example/`],
  [`--url=<https://u:${X}@h/>`],
  ['--token', `\${TOKEN:-${X}}`],
]

test.each(places)('a secret is found in %j', (...args) => {
  const found = secretsInArgs(args)
  const rest = found.reduce((text, part) => text.replaceAll(part, ''), args.join(' '))
  expect(rest).not.toContain(X)
  const learned = found.filter(looksRandom)
  expect(learned.some((part) => part === X || part === basic || part.endsWith(X))).toBe(true)
  if (args.join().includes('Basic')) expect(learned).toContain(X)
})

test.each([
  ['DATABASE_DSN', `host=a password=${X}`],
  ['SERVICE_CREDENTIALS', `{"password":"${X}"}`],
  ['REDIS_AUTH', `default:${X}`],
  ['COOKIE', `sid=${X}`],
  ['API_TOKENS', `a,${X}`],
  ['EXTRA', `{"headers":{"X-Api-Key":"${X}"}}`],
  ['BASIC', `Basic ${basic}`],
  ['accessToken', X],
])('the part of %s that counts is found', (name, value) => {
  expect(secretsIn(name, value)).toContain(X)
})

test.each([
  ['--model', 'gpt-4o-mini'],
  ['--name', 'MyProject2Final', 'Project2025Q3', 'iPhone15ProMax', 'OAuth2Client', 'Neo4jDatabase'],
  ['K8sCluster1', 'Win32ApiServer', 'ResNet50V2', 'S3Bucket-Prod1', 'Standard_D4s_v5'],
  ['20240115T083000Z', '2024-01-15', 'release-2024Q4-Hotfix1', 'claude-3-5-sonnet-20241022'],
  ['name@1.2.3', '@scope/name@2.0.0-beta.1', 'image:1.2', '/home/ada/MyProject2/src', '::1'],
  ['--project', '123e4567-e89b-42d3-a456-426614174000', 'vpc-0a1b2c3d4e5f6789a'],
  ['--tokens', '12345678', '--context-tokens', '20000000', '--max-tokens=4096'],
  ['--ssh-key', '/home/ada/.ssh/id_ed25519b', '--credentials', './credentials1.json'],
  ['--token-endpoint', 'https://idp.example/oauth2/token', '--auth', 'oauth2-pkce'],
  ['--sort-key', 'created_at_2024', '--key', 'project-alpha-2024', '--auth-method', 'client_v2_x9'],
  ['--tokenizer', 'cl100k_base', '--key-file', 'key1.pem', '--port', '8080'],
])('ordinary words are none: %s %s', (...args) => {
  expect(secretsInArgs(args)).toEqual([])
})

test('long texts without an end are read in linear time', () => {
  const before = process.cpuUsage()
  for (const text of [
    'a'.repeat(60_000),
    `${'aA1'.repeat(20_000)}~`,
    'k='.repeat(30_000),
    '${'.repeat(30_000),
  ])
    secretsInArgs([text, text])
  expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
})
