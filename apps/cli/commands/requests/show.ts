import { dollars, requestFields, requestLogFields, type RequestDetail, type RequestLog } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import type { Screen } from '../../terminal/screen.ts'
import { facts } from '../../terminal/table.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { when } from '../../terminal/time.ts'
import { logText } from './log-text.ts'

export default command({
  details: [
    'With --log: the prompt and the answer, if they are kept (`turnpike log set --on`), with ' +
      'secrets redacted.',
  ],
  arguments: { id: { kind: 'one', description: 'The request id (`x-request-id`)' } },
  options: { log: flag('Its prompt and answer') },
  fields: [...new Set([...requestFields, ...requestLogFields])],
  examples: [
    { does: 'Cost and outcome of a request', line: 'turnpike requests show req_01k9...' },
    { does: 'Prompt and answer', line: 'turnpike requests show req_01k9... --log' },
    {
      does: 'The body as it was sent',
      line: 'turnpike requests show req_01k9... --log --json | jq .request.body',
    },
  ],
  async run(context, { id, log }) {
    const path = `/api/v1/usage/requests/${encodeURIComponent(id)}`
    if (log) {
      const logged = await askAsUser<RequestLog>(context, { path: `${path}/log` })
      return record(logged, (screen) => logText(logged, screen))
    }
    const request = await askAsUser<RequestDetail>(context, { path })
    return record(request, (screen) => requestText(request, screen))
  },
})

function requestText(request: RequestDetail, screen: Screen): string {
  const { style } = screen
  const isGood = request.outcome === 'completed'
  const outcome = [`${request.outcome},`, request.status, request.error_type ?? ''].join(' ').trimEnd()
  const first = request.time_to_first_token_ms
  const rows: [string, string][] = [
    ['outcome', isGood ? style.green(outcome) : style.red(outcome)],
    ['when', when(request.created_at, screen)],
    ['endpoint', request.endpoint],
    ['requested', oneLine(request.model_asked ?? 'none')],
    ['served by', request.model_served === null ? 'none' : oneLine(request.model_served)],
    ['tokens', `${request.tokens_in} in, ${request.tokens_out} out`],
    ['cost', dollars(request.cost_usd)],
    ['took', `${request.latency_ms} ms${first === null ? '' : `, the first token ${first} ms`}`],
    ['key', request.key_id],
  ]
  if (request.tags.length > 0) rows.push(['tags', oneLine(request.tags.join(', '))])
  if (request.has_log === true) rows.push(['log', 'kept: use --log to see it'])
  return `${style.bold(request.id)}\n${facts(rows, screen)}`
}
