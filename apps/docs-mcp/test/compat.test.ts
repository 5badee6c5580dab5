import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aws, awsOptions } from '../../../packages/docs/test/sites/aws.ts'
import { chinaOptions, startAwsChina } from '../../../packages/docs/test/sites/aws-china.ts'
import type { Service } from '../../../packages/docs/test/sites/loopback-service.ts'
import { snowflake } from '../../../packages/docs/test/sites/snowflake.ts'
import type { Compat } from '../src/compat/compat-tools.ts'
import { awsRows, chinaRows } from './compat/aws-rows.ts'
import { type Connection, connect } from './compat/connect.ts'
import type { Row } from './compat/row.ts'
import { snowflakeRows } from './compat/snowflake-rows.ts'

interface Original {
  compat: Compat
  rows: readonly Row[]
  start: () => Promise<Service>
  options: (url: string) => Record<string, string>
}

const originals: readonly Original[] = [
  {
    compat: 'snowflake',
    rows: snowflakeRows,
    start: snowflake.start,
    options: (url) => ({ home: `${url}/` }),
  },
  { compat: 'aws', rows: awsRows, start: aws.start, options: awsOptions },
  { compat: 'aws-cn', rows: chinaRows, start: () => startAwsChina(), options: chinaOptions },
]

describe.each(originals)('the tools of $compat', ({ compat, rows, start, options }) => {
  let service: Service
  let connection: Connection

  beforeAll(async () => {
    service = await start()
    const given = options(service.url)
    connection = await connect(compat, {
      sources: [`${service.url}/`],
      sites: { [compat]: given },
      only: [new URL(service.url).hostname],
      limits: { perSecond: 1_000, retries: 0 },
    })
  })

  afterAll(async () => {
    await connection.close()
    await service.close()
  })

  test('are all there, and each is in the table', async () => {
    expect((await connection.names()).toSorted()).toEqual(
      [...new Set(rows.map(({ tool }) => tool))].toSorted(),
    )
  })

  test.for(rows)('$tool: $parameter', ({ check }) => check(connection, service))
})

test('the list of services says where to look when it cannot be had', async () => {
  const service = await startAwsChina(false)
  const { call, close } = await connect('aws-cn', {
    sources: [`${service.url}/`],
    sites: { 'aws-cn': chinaOptions(service.url) },
  })
  const { text, isError } = await call('get_available_services', {})
  expect(isError).toBe(true)
  expect(text).toMatch(
    /^Failed fetching list of available AWS Services, please go to http.*services\.html directly/,
  )
  await close()
  await service.close()
})
