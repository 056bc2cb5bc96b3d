import { hostname } from 'node:os'
import { createdKeyFields, type CreatedKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { command, flag, text } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { showCreatedKey } from './created-key.ts'
import { limitOptions, limitsBody } from './key-limits.ts'

export default command({
  details: [
    'Prints the key on stdout, this once only. It is also cached, readable only by you, for `env`, ' +
      '`test`, `models` and `chat`, except with `--org`.',
  ],
  options: {
    name: text('label', "A label (default: this machine's name)"),
    ...limitOptions,
    project: text('id', 'Its project'),
    noCache: flag('Do not cache the key on this machine'),
  },
  fields: createdKeyFields,
  examples: [
    { does: 'Create a key', line: 'turnpike keys create --name laptop' },
    {
      does: 'A key for CI, valid for 90 days and one model',
      line: 'turnpike keys create --name ci --expires 90d --model openai/gpt-5-mini --no-cache',
    },
    {
      does: 'A key that may spend 5 USD a day',
      line: 'turnpike keys create --name bot --spend-limit 5 --spend-limit-period day',
    },
    {
      does: 'A key with its own credit',
      line: 'turnpike keys create --name shop --draws-on own',
    },
    {
      does: 'Only its id and the key, for a program',
      line: 'turnpike keys create --name bot --json --fields id,raw',
    },
  ],
  async run(context, { name = hostname(), noCache, project, ...limits }) {
    const key = await askAsUser<CreatedKey>(context, {
      method: 'POST',
      path: '/api/v1/me/keys',
      body: {
        name,
        ...limitsBody(limits, context.clock()),
        ...(project !== undefined && { project_id: project }),
      },
    })
    context.output.done(`Created key ${context.output.messages.style.bold(oneLine(key.name))} (${key.id})`)
    return showCreatedKey(context, key, !noCache && context.organization === undefined)
  },
})
