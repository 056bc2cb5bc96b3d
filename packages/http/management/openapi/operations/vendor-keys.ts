import { operationsOf } from '../operation.ts'
import { ids, listOf } from './examples.ts'

const exampleKey = {
  id: ids.vendorKey,
  object: 'vendor_key',
  provider: 'anthropic',
  name: 'prod',
  last4: 'aB3d',
  status: 'active',
  allow_fallback_to_shared: true,
  position: 1,
  created_at: 1741046412,
  updated_at: 1741046412,
  last_used_at: 1741050012,
  refused_at: null,
}

const fresh = { ...exampleKey, last_used_at: null }

export const vendorKeyOperations = operationsOf('Vendor keys', {
  'POST /vendor-keys': {
    id: 'createVendorKey',
    summary: 'Add a vendor key',
    description:
      'Requests for models of this provider use this key first, and cost the fee that the ' +
      'operator sets (`fee_percent`). If the key fails, they fall back to the gateway’s own ' +
      'keys, for credit, unless `allow_fallback_to_shared` is false. The secret is encrypted and never ' +
      'returned; `last4` identifies a key. An account can have at most 50.',
    audited: true,
    errors: [409, 503],
    request: { provider: 'anthropic', name: 'prod', secret: 'sk-ant-api03-example-aB3d' },
    answer: fresh,
  },
  'GET /vendor-keys': {
    id: 'listVendorKeys',
    summary: 'List vendor keys',
    description: 'All keys, in the order in which they are used.',
    polled: true,
    answer: listOf(exampleKey),
  },
  'GET /vendor-keys/providers': {
    id: 'listVendorKeyProviders',
    summary: 'Providers for vendor keys',
    description: 'The providers that accept own keys, and the fee.',
    polled: true,
    answer: {
      object: 'vendor_key_providers',
      fee_percent: '5',
      data: [{ name: 'anthropic', title: 'Anthropic' }],
    },
  },
  'GET /vendor-keys/:vendor_key_id': {
    id: 'getVendorKey',
    summary: 'One vendor key',
    description: 'Including when it was last used and last rejected.',
    polled: true,
    answer: exampleKey,
  },
  'PATCH /vendor-keys/:vendor_key_id': {
    id: 'updateVendorKey',
    summary: 'Change a vendor key',
    description: 'Changes the given fields, on every node within a second. Requests in progress continue.',
    audited: true,
    errors: [409],
    request: { allow_fallback_to_shared: false },
    answer: { ...exampleKey, allow_fallback_to_shared: false },
  },
  'DELETE /vendor-keys/:vendor_key_id': {
    id: 'deleteVendorKey',
    summary: 'Delete a vendor key',
    description:
      'It is no longer used, on every node within a second, and its secret is deleted. It stays valid at ' +
      'the vendor, so revoke it there too.',
    audited: true,
    answer: exampleKey,
  },
  'POST /vendor-keys/:vendor_key_id/replace': {
    id: 'replaceVendorKey',
    summary: 'Replace the secret of a vendor key',
    description: 'The key keeps its name, position and settings. The old secret is deleted at once.',
    audited: true,
    request: { secret: 'sk-ant-api03-another-xY9z' },
    answer: { ...fresh, last4: 'xY9z' },
  },
})
