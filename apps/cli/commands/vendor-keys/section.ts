import type { CommandSection } from '../command-section.ts'

/** The account's own keys of vendors. */
export const vendorKeySection: CommandSection = {
  title: 'Your own keys of vendors',
  commands: [
    {
      name: 'vendor-keys list',
      summary: 'List your own vendor keys.',
      load: async () => (await import('./list.ts')).listVendorKeys,
    },
    {
      name: 'vendor-keys show',
      summary: 'Show a vendor key.',
      load: async () => (await import('./show.ts')).showVendorKey,
    },
    {
      name: 'vendor-keys add',
      summary: 'Add your own vendor key.',
      load: async () => (await import('./add.ts')).addVendorKey,
    },
    {
      name: 'vendor-keys update',
      summary: "Change a vendor key's name, position or fallback.",
      load: async () => (await import('./update.ts')).updateVendorKey,
    },
    {
      name: 'vendor-keys replace',
      summary: "Replace a vendor key's secret.",
      load: async () => (await import('./replace.ts')).replaceVendorKey,
    },
    {
      name: 'vendor-keys delete',
      summary: 'Delete a vendor key.',
      load: async () => (await import('./delete.ts')).deleteVendorKey,
    },
  ],
}
