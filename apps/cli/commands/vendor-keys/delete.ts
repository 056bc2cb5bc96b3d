import { vendorKeyFields, type VendorKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { requireYes } from '../../terminal/confirm.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { vendorKeyPath } from './vendor-key-columns.ts'

export default command({
  details: [
    'Stops using it at once and deletes its secret. It stays valid at the vendor: revoke it there ' +
      'too. Asks for confirmation on a terminal.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the key' } },
  options: { yes: flag('Do not ask for confirmation') },
  fields: vendorKeyFields,
  examples: [
    { does: 'Delete it', line: 'turnpike vendor-keys delete vky_01k9...' },
    { does: 'From a script', line: 'turnpike vendor-keys delete vky_01k9... --yes' },
  ],
  async run(context, { id, yes }) {
    await requireYes(context, yes, `Delete the vendor key ${oneLine(id)}?`)
    const deleted = await askAsUser<VendorKey>(context, { method: 'DELETE', path: vendorKeyPath(id) })
    context.output.done(`Deleted the key ${oneLine(deleted.name)} for ${oneLine(deleted.provider)}`)
    return record(deleted, () => '')
  },
})
