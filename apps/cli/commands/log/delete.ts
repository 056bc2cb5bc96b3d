import type { DeletedLog } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { requireYes } from '../../terminal/confirm.ts'

export default command({
  details: [
    'Immediate and permanent. Requests with their tokens and cost stay. Asks for confirmation on a ' +
      'terminal.',
  ],
  options: {
    request: text('id', 'Only of this request'),
    key: text('id', 'Only of this key'),
    yes: flag('Do not ask for confirmation'),
  },
  fields: ['id', 'deleted'],
  examples: [
    { does: 'Delete all prompts and answers', line: 'turnpike log delete' },
    { does: 'Only of one request', line: 'turnpike log delete --request req_01k9... --yes' },
  ],
  async run(context, { request, key, yes }) {
    if (request !== undefined && key !== undefined)
      throw badInput('--request and --key: expected only one of them.', '--key')
    const { output } = context
    await requireYes(context, yes, 'Delete prompts and answers? This cannot be undone.')
    const path =
      request === undefined
        ? '/api/v1/me/prompt-log'
        : `/api/v1/usage/requests/${encodeURIComponent(request)}/log`
    const deleted = await askAsUser<DeletedLog>(context, { method: 'DELETE', path, query: { key_id: key } })
    output.done(
      deleted.deleted === true
        ? `Deleted the prompt and answer of ${deleted.id}`
        : `Deleted ${deleted.deleted} entries`,
    )
    return record(deleted, () => '')
  },
})
