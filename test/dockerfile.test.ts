import { readdirSync, readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const text = readFileSync('Dockerfile', 'utf8')
const apps = readdirSync('apps')

/** A stage without what it is made from, by name. */
const stages = new Map(
  text
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((stage) => [/ AS (\S+)$/m.exec(stage)?.[1] ?? '', stage] as const),
)

describe('Dockerfile', () => {
  test('has nothing that its linter minds', () => {
    expect(validate(text).map(({ message }) => message)).toEqual([])
    expect(validate('FRO node\n')).not.toEqual([])
  })

  test('is made from images of one exact version', () => {
    const images = [...text.matchAll(/^FROM (\S+:\S+)/gm)].map(([, image]) => image)
    expect(new Set(images).size).toBe(1)
    expect(images[0]).toMatch(/^node:\d+\.\d+\.\d+-\w+-slim$/)
  })

  test('has a stage for each server, without rights and with its own name', () => {
    expect([...stages.keys()].sort()).toEqual(['build', 'server', ...apps].sort())
    expect(stages.get('server')).toMatch(/^USER node$/m)
    for (const app of apps) {
      const { mcpName } = JSON.parse(readFileSync(`apps/${app}/package.json`, 'utf8'))
      expect(stages.get(app)).toContain('FROM server AS')
      expect(stages.get(app)).toContain(`io.modelcontextprotocol.server.name="${mcpName}"`)
      expect(stages.get(app)).not.toMatch(/^USER /m)
    }
  })

  test('copies only what .dockerignore lets in', () => {
    const [all, ...rest] = readFileSync('.dockerignore', 'utf8').trim().split('\n')
    expect(all).toBe('**')
    const dispatch = rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    const copied = [...text.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, path]) => path ?? '')
    for (const path of copied.filter((each) => each !== '.'))
      expect(dispatch).toContain(path.split('/')[0])
  })
})

test('compose.yaml starts targets that there are, without rights and without tokens in it', () => {
  const { services } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true })
  for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
    expect({ name, ...service }).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(stages.has((service['build'] as { target: string }).target)).toBe(true)
    for (const port of service['ports'] as string[]) expect(port).toMatch(/^127\.0\.0\.1:/)
    // Names alone: the value is that of whoever starts it.
    for (const variable of service['environment'] as string[])
      expect(variable).toMatch(/^[A-Z_]+_TOKEN$/)
  }
})

describe('examples of replicas', () => {
  const files = ['compose.cluster.yaml', 'deploy/kubernetes.yaml', 'docs/replicas.md'] as const

  test.each(files)('%s has a password for Redis, and a port for replicas alone', (file) => {
    const content = readFileSync(file, 'utf8')
    const addresses = [...content.matchAll(/PITH_REDIS_URL[=:] ?(\S+)/g)].map(([, url]) => url)
    expect(addresses.length).toBeGreaterThan(0)
    for (const url of addresses) expect(url).toMatch(/^rediss?:\/\/:[^@]+@/)
    const ports = [...content.matchAll(/PITH_REPLICA_URL\b.*?http:.*?:(\d+)/g)].map(
      ([, port]) => port,
    )
    expect(ports.length).toBeGreaterThan(0)
    expect(new Set(ports)).toEqual(new Set(['8081']))
    expect(content).toMatch(/--http[ ,]+"?0\.0\.0\.0:8080/)
  })

  test('compose.cluster.yaml asks for a password of Redis, and gives docs-mcp a database of its own', () => {
    const { services, configs } = parse(readFileSync('compose.cluster.yaml', 'utf8'), {
      merge: true,
    })
    const { command } = services.redis
    expect(command[command.indexOf('--requirepass') + 1]).toMatch(/^\$\{REDIS_PASSWORD:\?\}$/)
    expect(services.postgres.configs[0].target).toMatch(/^\/docker-entrypoint-initdb\.d\//)
    for (const sql of [
      'CREATE ROLE pith_docs',
      'CREATE DATABASE docs OWNER pith_docs',
      'REVOKE CONNECT ON DATABASE pith, docs FROM PUBLIC',
    ])
      expect(configs.roles.content).toContain(sql)
  })

  const objects = readFileSync('deploy/kubernetes.yaml', 'utf8')
    .split(/^---$/m)
    .map((one) => parse(one))
  const of = (wanted: string) => objects.find(({ kind }) => kind === wanted)

  test('give replicas the settings of the tests, and the names and addresses of deploy/nginx.conf', () => {
    const cluster = readFileSync('apps/aggregator-mcp/test/replicas/cluster.ts', 'utf8')
    const tested = new Set(cluster.match(/PITH_\w+/g))
    // The port of PITH_REPLICA_URL in the examples.
    tested.delete('PITH_REPLICA_LISTEN')
    const nginx = readFileSync('deploy/nginx.conf', 'utf8')
    const names = [...nginx.matchAll(/"~\^ \?r(\w{8})\\\." \1;/g)].map(([, name]) => name ?? '')
    expect(names.length).toBeGreaterThan(1)
    for (const name of names) {
      const address = name.replace(/\d/, '-$&')
      const [, first, ...rest] =
        new RegExp(`upstream ${name} {\\s+zone .*\\s+server (.*);\\s+server (.*);`).exec(nginx) ??
        []
      expect(first).toBe(`${address}:8080`)
      expect(rest).toEqual([expect.stringMatching(/ backup$/)])
      expect(nginx).toMatch(new RegExp(`upstream replicas {[^}]*server ${address}:8080;`))
    }
    const { services, configs } = parse(readFileSync('compose.cluster.yaml', 'utf8'), {
      merge: true,
    })
    expect(configs.nginx.file).toBe('./deploy/nginx.conf')
    for (const name of names) {
      const { environment } = services[name.replace(/\d/, '-$&')]
      expect(environment['PITH_REPLICA_NAME']).toBe(name)
      for (const variable of tested) expect(Object.keys(environment)).toContain(variable)
    }
    const { spec, metadata } = of('StatefulSet')
    const addresses = names.map((_, index) => `${metadata.name}-${spec.ordinals.start + index}`)
    expect(spec.replicas).toBe(names.length)
    for (const address of addresses) {
      expect(nginx).toContain(`server ${address}:8080;`)
      const service = objects.find((one) => one.kind === 'Service' && one.metadata.name === address)
      expect(Object.values(service.spec.selector)).toEqual([address])
    }
    const text = readFileSync('deploy/kubernetes.yaml', 'utf8')
    for (const variable of tested) expect(text).toContain(variable)
    expect(text).toContain('PITH_REPLICA_NAME, value: "replica$(POD_INDEX)"')
    expect(text).toContain('--from-file=default.conf=deploy/nginx.conf')
  })

  test('kubernetes.yaml lets replicas alone reach their port, and the proxy that of clients', () => {
    const policy = of('NetworkPolicy')
    const { matchLabels } = policy.spec.podSelector
    expect(matchLabels).toEqual(of('StatefulSet').spec.selector.matchLabels)
    const rule = (wanted: number) =>
      policy.spec.ingress.find(({ ports }: { ports: { port: number }[] }) =>
        ports.some(({ port }) => port === wanted),
      )
    expect(rule(8081).from).toEqual([{ podSelector: { matchLabels } }])
    const proxy = of('Deployment').spec.selector
    expect(rule(8080).from).toEqual([{ podSelector: proxy }])
  })
})
