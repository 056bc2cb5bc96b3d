import { vendorKeyFields, type VendorKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { vendorKeyFacts, vendorKeyPath } from './vendor-key-columns.ts'

export default command({
  details: ['Shows its state, position, last use and last refusal.'],
  arguments: { id: { kind: 'one', description: 'The id of the key' } },
  fields: vendorKeyFields,
  examples: [{ does: 'Show it', line: 'turnpike vendor-keys show vky_01k9...' }],
  async run(context, { id }) {
    const key = await askAsUser<VendorKey>(context, { path: vendorKeyPath(id) })
    return record(key, (screen) => vendorKeyFacts(key, screen))
  },
})
