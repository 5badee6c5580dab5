import { answerOperations } from '@pith-mcp/console/server'
import { expect, test } from 'vitest'
import { apiOf } from '../../src/operations/api-of.ts'

const get = (url: string) =>
  answerOperations(apiOf({} as never)).answer({
    ...{ method: 'GET', url, body: undefined },
    ...{ principal: {} as never, signal: AbortSignal.abort() },
  })

test('another version of the API is not answered as this one', async () => {
  await expect(get('/api/v2/servers')).rejects.toMatchObject({ status: 404 })
})

test('a parameter is unknown whatever its name is', async () => {
  await expect(get('/api/v1/servers?__proto__=1')).rejects.toMatchObject({ status: 400 })
})
