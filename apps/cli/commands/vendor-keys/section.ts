import type { CommandSection } from '../command-section.ts'

/** The account's own keys of vendors. */
export const vendorKeySection: CommandSection = {
  title: 'Your own keys of vendors',
  commands: [
    {
      name: 'vendor-keys list',
      summary: 'List your own keys of vendors.',
      load: async () => (await import('./list.ts')).listVendorKeys,
    },
    {
      name: 'vendor-keys show',
      summary: 'Show one of them: state, place, last use.',
      load: async () => (await import('./show.ts')).showVendorKey,
    },
    {
      name: 'vendor-keys add',
      summary: 'Add a key of a vendor; requests go by it first.',
      load: async () => (await import('./add.ts')).addVendorKey,
    },
    {
      name: 'vendor-keys update',
      summary: 'Change its name, place or fallback.',
      load: async () => (await import('./update.ts')).updateVendorKey,
    },
    {
      name: 'vendor-keys replace',
      summary: 'Give it another secret.',
      load: async () => (await import('./replace.ts')).replaceVendorKey,
    },
    {
      name: 'vendor-keys delete',
      summary: 'Delete it.',
      load: async () => (await import('./delete.ts')).deleteVendorKey,
    },
  ],
}
