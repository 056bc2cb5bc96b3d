import type { Vendor } from '../vendor.ts'

export const registryFile = new URL('../generated-vendors.ts', import.meta.url)

/** The text of generated-vendors.ts, which names every vendor. */
export function registryText(vendors: readonly Vendor[]): string {
  const imports = vendors.map(
    ({ name }) => `import { vendor as ${variableOf(name)} } from './vendors/${name}.ts'`,
  )
  return [
    '/* Written by generate.ts: run it after a change of vendors/. */',
    "import type { Vendor } from './vendor.ts'",
    ...imports,
    '',
    '/** Every vendor that needs no more in the configuration than a key, or an address of one’s own. */',
    'export const vendors: readonly Vendor[] = [',
    ...vendors.map(({ name }) => `  ${variableOf(name)},`),
    ']',
    '',
  ].join('\n')
}

/** `azure-eu` becomes `azureEu`. */
function variableOf(name: string): string {
  return name.replace(/-(.)/g, (_hyphen, letter: string) => letter.toUpperCase())
}
