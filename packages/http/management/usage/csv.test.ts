import { expect, test } from 'vitest'
import { requestRecord } from '../testing/management-server.ts'
import { requestCsv } from './csv.ts'

const accountId = `acct_${'0'.repeat(26)}`
const keyId = `key_${'0'.repeat(26)}`
const id = `req_${'0'.repeat(26)}`

test('writes requests as CSV, checked character by character', () => {
  const completed = requestRecord({
    id,
    accountId,
    keyId,
    tier: 'SIMPLE',
    tags: ['team:a', 'say "hi", please', '=1+1'],
  })
  const failed = requestRecord({
    id,
    accountId,
    keyId,
    outcome: 'failed',
    status: 400,
    errorType: 'invalid_request_error',
    errorParam: 'messages[3].content',
    modelAsked: '=HYPERLINK("http://x")',
    modelServed: null,
    provider: null,
    attempts: [],
    tokensIn: 0,
    tokensOut: 0,
    chargePico: 0n,
    durationMs: 3,
    firstTokenMs: null,
  })
  expect([requestCsv.header, requestCsv.line(completed), requestCsv.line(failed)].join('')).toBe(
    [
      'id,created_at,account_id,key_id,endpoint,stream,tags,model_asked,model_served,provider,tier,' +
        'attempts,outcome,status,error_type,tokens_in,tokens_out,cost_usd,latency_ms,' +
        'time_to_first_token_ms,operation,paid_by,error_param,is_byok,own_cost_usd',
      `${id},1773144000,${accountId},${keyId},chat.completions,false,` +
        '"[""team:a"",""say \\""hi\\"", please"",""=1+1""]",' +
        'openai/gpt-5-mini,openai/gpt-5-mini,openai,SIMPLE,1,completed,200,,10,5,0.01,450,120,generate,,,' +
        'false,',
      `${id},1773144000,${accountId},${keyId},chat.completions,false,[],` +
        `"'=HYPERLINK(""http://x"")",,,,0,failed,400,invalid_request_error,0,0,0,3,,generate,` +
        ',messages[3].content,false,',
      '',
    ].join('\r\n'),
  )
})
