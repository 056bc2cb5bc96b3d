import { vendorKeyFields, type List, type VendorKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { vendorKeyColumns } from './vendor-key-columns.ts'

export default command({
  details: ['Listed in the order of use. Secrets are never shown.'],
  fields: vendorKeyFields,
  examples: [
    { does: 'List them', line: 'turnpike vendor-keys list' },
    { does: 'Which were refused', line: 'turnpike vendor-keys list --fields name,provider,refused_at' },
  ],
  async run(context) {
    const found = await askAsUser<List<VendorKey>>(context, { path: '/api/v1/vendor-keys' })
    return rows(found, vendorKeyColumns, 'No vendor keys yet. Add one: turnpike vendor-keys add openai')
  },
})
