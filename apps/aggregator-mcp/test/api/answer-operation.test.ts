import { expect, test } from 'vitest'
import { answerOperation } from '../../src/api/answer-operation.ts'

const get = (url: string) =>
  answerOperation(
    { method: 'GET', url, body: undefined, principal: {}, signal: AbortSignal.abort() } as never,
    {} as never,
  )

test('another version of the API is not answered as this one', async () => {
  await expect(get('/api/v2/servers')).rejects.toMatchObject({ status: 404 })
})

test('a parameter is unknown whatever its name is', async () => {
  await expect(get('/api/v1/servers?__proto__=1')).rejects.toMatchObject({ status: 400 })
})
