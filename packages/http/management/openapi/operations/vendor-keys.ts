import type { Operation } from '../operation.ts'
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

export const vendorKeyOperations: Record<string, Operation> = {
  'POST /vendor-keys': {
    id: 'createVendorKey',
    tag: 'Vendor keys',
    summary: 'Add a key of a vendor',
    description:
      'Requests for models of this provider go to the vendor with this key first, and cost what the ' +
      'operator asks for that (`fee_percent`). Where it gives no answer they go on to the gateway’s own ' +
      'keys, for credit, unless `allow_fallback_to_shared` is false. The secret is sealed, and told by no ' +
      'answer: `last4` tells keys apart. An account has 50 at most.',
    audited: true,
    errors: [409, 503],
    request: { provider: 'anthropic', name: 'prod', secret: 'sk-ant-api03-example-aB3d' },
    answer: fresh,
  },
  'GET /vendor-keys': {
    id: 'listVendorKeys',
    tag: 'Vendor keys',
    summary: 'List keys of vendors',
    description: 'All of them, in the order in which they are asked.',
    polled: true,
    answer: listOf(exampleKey),
  },
  'GET /vendor-keys/providers': {
    id: 'listVendorKeyProviders',
    tag: 'Vendor keys',
    summary: 'Whose keys may be added',
    description: 'The providers that are called with keys of one’s own, and what that costs.',
    polled: true,
    answer: {
      object: 'vendor_key_providers',
      fee_percent: '5',
      data: [{ name: 'anthropic', title: 'Anthropic' }],
    },
  },
  'GET /vendor-keys/:vendor_key_id': {
    id: 'getVendorKey',
    tag: 'Vendor keys',
    summary: 'One key of a vendor',
    description: 'When it was last used, and last refused.',
    polled: true,
    answer: exampleKey,
  },
  'PATCH /vendor-keys/:vendor_key_id': {
    id: 'updateVendorKey',
    tag: 'Vendor keys',
    summary: 'Change a key of a vendor',
    description:
      'Changes the fields that are named and no others, on every node within a second. Requests under way ' +
      'go on.',
    audited: true,
    errors: [409],
    request: { allow_fallback_to_shared: false },
    answer: { ...exampleKey, allow_fallback_to_shared: false },
  },
  'DELETE /vendor-keys/:vendor_key_id': {
    id: 'deleteVendorKey',
    tag: 'Vendor keys',
    summary: 'Delete a key of a vendor',
    description:
      'It is used no more, on every node within a second, and its secret is gone. At the vendor it goes ' +
      'on to be good: revoke it there, too.',
    audited: true,
    answer: exampleKey,
  },
  'POST /vendor-keys/:vendor_key_id/replace': {
    id: 'replaceVendorKey',
    tag: 'Vendor keys',
    summary: 'Give a key of a vendor another secret',
    description: 'The key keeps its name, place and rules. The secret before it is gone at once.',
    audited: true,
    request: { secret: 'sk-ant-api03-another-xY9z' },
    answer: { ...fresh, last4: 'xY9z' },
  },
}
