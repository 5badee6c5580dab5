import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Engine, freePort, startPostgres, startRedis } from '../../../../test/engines.ts'
import { configure, until } from '../running/aggregator-process.ts'
import { type Link, startLink } from './link.ts'

const run = promisify(execFile)

/** One aggregator of several, with a state folder of its own. */
interface Replica {
  port: number
  url: string
  child: ChildProcess
  stderr: () => string
}

export interface Cluster {
  postgres: Engine
  redis: Engine
  /** What replicas reach the engines through. */
  links: { postgres: Link; redis: Link }
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
    env?: NodeJS.ProcessEnv
  } = {},
): Promise<Cluster> {
  const [postgres, redis] = await Promise.all([
    startPostgres({ fsync: 'off', ...settings.engines }),
    startRedis(),
  ])
  const links = {
    postgres: await startLink(postgres.port),
    redis: await startLink(redis.port),
  }
  const configured = configure(servers, settings.aggregator)
  const [main = '', option = '', config = ''] = configured.args
  const env = {
    ...process.env,
    PITH_DATABASE_URL: postgres.url.replace(`:${postgres.port}`, `:${links.postgres.port}`),
    PITH_REDIS_URL: redis.url.replace(`:${redis.port}`, `:${links.redis.port}`),
    PITH_CLUSTER_KEY: randomBytes(32).toString('base64'),
    ...settings.env,
  }
  const start = async (port: number, more: NodeJS.ProcessEnv = {}): Promise<Replica> => {
    const state = join(configured.folder, `state-${port}`)
    const args = [main, option, config, '--state', state, ...(settings.flags ?? [])]
    const own = { ...env, PITH_REPLICA_URL: `http://127.0.0.1:${port}`, ...more }
    const child = spawn(process.execPath, [...args, '--http', String(port)], {
      env: own,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await until(() => said.includes('serving ') || child.exitCode !== null).catch(() => {
      child.kill('SIGKILL')
      said = `A replica did not start: ${said}`
    })
    if (!said.includes('serving ')) throw new Error(said)
    return { port, url: `http://127.0.0.1:${port}`, child, stderr: () => said }
  }
  const replicas: Replica[] = []
  try {
    for (let index = 0; index < count; index++) replicas.push(await start(await freePort()))
  } catch (error) {
    for (const { child } of replicas) child.kill('SIGKILL')
    await Promise.all([postgres.kill(), redis.kill()])
    throw error
  }

  let turn = 0
  const proxy = createServer(async (incoming, outgoing) => {
    // A replica that is gone gets nothing of it.
    const body = await buffer(incoming)
    const tryNext = (left: number): void => {
      const replica = replicas[turn++ % replicas.length]
      const { method, headers, url } = incoming
      const forwarded = send(`${replica?.url}${url}`, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        outgoing.flushHeaders()
        answer.pipe(outgoing)
        answer.once('error', () => outgoing.destroy())
      })
      forwarded.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && left > 0) return tryNext(left - 1)
        outgoing.destroy()
      })
      outgoing.once('close', () => forwarded.destroy())
      forwarded.end(body)
    }
    tryNext(replicas.length)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    postgres,
    redis,
    links,
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
      const { port = await freePort() } = replicas[index] ?? {}
      replicas[index] = await start(port, more)
    },
    async stop() {
      proxy.close()
      proxy.closeAllConnections()
      await Promise.all(
        replicas.map(async ({ child }) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          child.kill('SIGTERM')
          await once(child, 'exit')
        }),
      )
      links.postgres.close()
      links.redis.close()
      await Promise.all([postgres.stop(), redis.stop()])
      configured.remove()
    },
  }
}
