import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { requireYes } from '../../terminal/confirm.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { targetPath } from './target-columns.ts'

export default command({
  details: ['Also deletes its delivery log. Asks for confirmation on a terminal.'],
  arguments: { id: { kind: 'one', description: 'The id of the target' } },
  options: { yes: flag('Do not ask for confirmation') },
  fields: ['id', 'deleted'],
  examples: [
    { does: 'Delete it', line: 'turnpike webhooks delete tgt_01k9...' },
    { does: 'From a script', line: 'turnpike webhooks delete tgt_01k9... --yes' },
  ],
  async run(context, { id, yes }) {
    await requireYes(context, yes, `Delete the target ${oneLine(id)} and its delivery log?`)
    const path = targetPath(id)
    const deleted = await askAsUser<{ id: string; deleted: true }>(context, { method: 'DELETE', path })
    context.output.done(`Deleted target ${deleted.id}`)
    return record(deleted, () => '')
  },
})
