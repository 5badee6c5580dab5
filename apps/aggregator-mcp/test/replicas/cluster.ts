import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Engine, freePort, startPostgres, startRedis } from '../../../../test/engines.ts'
import { configure, until } from '../running/aggregator-process.ts'
import { type Link, startLink } from './link.ts'

const run = promisify(execFile)
/** Milliseconds for the answer to a probe: replicas of a busy machine are slow, and not hung. */
const probeMs = 3_000

/** One aggregator of several, with a state folder of its own. */
interface Replica {
  port: number
  url: string
  child: ChildProcess
  stderr: () => string
  links: Links & { peers: Link }
}

/** What a replica reaches the engines through. */
type Links = Record<'postgres' | 'redis', Link>

export interface Cluster {
  postgres: Engine
  redis: Engine
  replicas: Replica[]
  env: NodeJS.ProcessEnv
  /** A proxy that sends each request to the next replica, without affinity. */
  url: string
  /** Which replica gets the next request; replicas that do not listen are skipped. */
  next(index: number): void
  cli(...words: string[]): Promise<string>
  /** Starts a replica in the place of one that has ended. */
  restart(index: number, env?: NodeJS.ProcessEnv): Promise<void>
  stop(): Promise<void>
}

export async function startCluster(
  count: number,
  servers: object,
  settings: {
    aggregator?: object
    flags?: string[]
    engines?: Record<string, string>
    /** They are `replica1`, `replica2`, …, also after a restart. */
    isNamed?: boolean
    /** The proxy sends nothing to a replica that does not answer, and ends what it has there. */
    isProbed?: boolean
    env?: NodeJS.ProcessEnv
  } = {},
): Promise<Cluster> {
  const [postgres, redis] = await Promise.all([
    startPostgres({ fsync: 'off', ...settings.engines }),
    startRedis(),
  ])
  const configured = configure(servers, settings.aggregator)
  const [main = '', option = '', config = ''] = configured.args
  const env = {
    ...process.env,
    PITH_DATABASE_URL: postgres.url,
    PITH_REDIS_URL: redis.url,
    PITH_CLUSTER_KEY: randomBytes(32).toString('base64'),
    ...settings.env,
  }
  const replicas: Replica[] = []
  const start = async (index: number, more: NodeJS.ProcessEnv = {}): Promise<Replica> => {
    const before = replicas[index]
    const port = before?.port ?? (await freePort())
    const own = await freePort()
    const links = {
      postgres: before?.links.postgres ?? (await startLink(postgres.port)),
      redis: before?.links.redis ?? (await startLink(redis.port)),
      peers: await startLink(own),
    }
    const state = join(configured.folder, `state-${port}`)
    const args = [main, option, config, '--state', state, ...(settings.flags ?? [])]
    const child = spawn(process.execPath, [...args, '--http', String(port)], {
      env: {
        ...env,
        PITH_DATABASE_URL: postgres.url.replace(`:${postgres.port}`, `:${links.postgres.port}`),
        PITH_REDIS_URL: redis.url.replace(`:${redis.port}`, `:${links.redis.port}`),
        PITH_REPLICA_URL: `http://127.0.0.1:${links.peers.port}`,
        PITH_REPLICA_LISTEN: `127.0.0.1:${own}`,
        ...(settings.isNamed && { PITH_REPLICA_NAME: `replica${index + 1}` }),
        ...more,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // Where nothing listens, connections are refused.
    child.once('exit', links.peers.close)
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await until(() => said.includes('serving ') || child.exitCode !== null).catch(() => {
      child.kill('SIGKILL')
      said = `A replica did not start: ${said}`
    })
    if (!said.includes('serving ')) throw new Error(said)
    return { port, url: `http://127.0.0.1:${port}`, child, stderr: () => said, links }
  }
  try {
    for (let index = 0; index < count; index++) replicas.push(await start(index))
  } catch (error) {
    for (const { child } of replicas) child.kill('SIGKILL')
    await Promise.all([postgres.kill(), redis.kill()])
    throw error
  }

  let turn = 0
  const sent = new Map<Replica, Set<ClientRequest>>()
  const silent = new Set<Replica>()
  const probe = async (replica: Replica): Promise<void> => {
    const signal = AbortSignal.timeout(probeMs)
    const isUp = await fetch(`${replica.url}/healthz`, { signal }).then(
      () => true,
      () => false,
    )
    if (isUp) silent.delete(replica)
    else silent.add(replica)
    if (!isUp) for (const one of sent.get(replica) ?? []) one.destroy()
  }
  const probing = setInterval(() => {
    if (settings.isProbed) for (const replica of replicas) void probe(replica)
  }, 500)
  const proxy = createServer(async (incoming, outgoing) => {
    // A replica that is gone gets nothing of it.
    const body = await buffer(incoming)
    const tryNext = (left: number): void => {
      const up = replicas.filter((one) => !silent.has(one))
      const replica = up[turn++ % up.length]
      if (replica === undefined) {
        outgoing.destroy()
        return
      }
      const { method, headers, url } = incoming
      const forwarded = send(`${replica.url}${url}`, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        outgoing.flushHeaders()
        answer.pipe(outgoing)
        answer.once('error', () => outgoing.destroy())
      })
      forwarded.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && left > 0) return tryNext(left - 1)
        outgoing.destroy()
      })
      const own = sent.get(replica) ?? new Set()
      sent.set(replica, own.add(forwarded))
      outgoing.once('close', () => {
        own.delete(forwarded)
        forwarded.destroy()
      })
      forwarded.end(body)
    }
    tryNext(replicas.length)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    postgres,
    redis,
    replicas,
    env,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    next(index) {
      turn = index
    },
    async cli(...words) {
      const state = join(configured.folder, 'cli')
      const { stdout } = await run(
        process.execPath,
        [main, ...words, option, config, '--state', state],
        { env },
      )
      return stdout
    },
    async restart(index, more) {
      replicas[index] = await start(index, more)
    },
    async stop() {
      clearInterval(probing)
      proxy.close()
      proxy.closeAllConnections()
      await Promise.all(
        replicas.map(async ({ child }) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          child.kill('SIGTERM')
          await once(child, 'exit')
        }),
      )
      for (const { links } of replicas) for (const link of Object.values(links)) link.close()
      await Promise.all([postgres.stop(), redis.stop()])
      configured.remove()
    },
  }
}
