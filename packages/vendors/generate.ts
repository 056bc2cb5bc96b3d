import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { FactGroup, VendorFacts } from './facts/facts.ts'
import { readPackagedSource, packagedSourceName } from './generator/packaged-source.ts'
import { InexactPrice } from './prices/exact.ts'
import { sourceModelOf } from './prices/for-model.ts'
import { aliasesOf, isDated } from './prices/names.ts'
import type { SourceModel, SourceProvider } from './prices/price-source.ts'
import { registryFile, registryText } from './generator/registry-text.ts'
import { vendorDataFile, type VendorData } from './generator/vendor-data.ts'
import { loadVendors, type LoadedVendor } from './generator/vendor-files.ts'
import { pricesFrom, type VendorModel } from './vendor-model.ts'
import { guideFile, withVendorTable } from './generator/vendor-table.ts'
import type { Vendor } from './vendor.ts'

/**
 * Writes everything that is generated from the files in vendors/: generated-vendors.ts, the table in
 * docs/vendors.md and, with the price data, data/<vendor>.json. Run it after a change of either: node
 * packages/vendors/generate.ts
 */

export interface Generated {
  models: VendorModel[]
  /** Why the data cannot be written, one sentence each. */
  problems: string[]
}

/** A vendor's models as its data file should contain them. */
export function generateModels(
  vendor: Vendor,
  own: VendorFacts,
  source: readonly SourceProvider[],
): Generated {
  const models: VendorModel[] = []
  const problems: string[] = []
  const listed = new Set(own.groups.flatMap((group) => Object.keys(group.models)))
  for (const group of own.groups) {
    for (const [id, released] of Object.entries(group.models)) {
      const entry = sourceModelOf(source, vendor, own.pricedAs?.[id] ?? id)
      const made = generateModel({ id, released, group, own, entry })
      if (typeof made === 'string') problems.push(`${vendor.name}/${id}: ${made}`)
      else models.push({ ...made, ...namesOf(id, own, entry, listed) })
    }
  }
  return { models: models.toSorted((a, b) => (a.id < b.id ? -1 : 1)), problems }
}

/** The row without its names, or what is wrong with it. */
function generateModel({
  id,
  released,
  group,
  own,
  entry,
}: {
  id: string
  released: string
  group: FactGroup
  own: VendorFacts
  entry: SourceModel | undefined
}): VendorModel | string {
  const context = group.context ?? entry?.context_window
  if (context === undefined) return 'its context is known neither to the price data nor to us'
  const pricing = own.pricing?.[id]
  if (pricing === undefined && entry === undefined) return 'the price data does not know it'
  const facts = {
    id,
    name: own.names?.[id] ?? entry?.name ?? id.slice(id.lastIndexOf('/') + 1),
    released,
    context,
    output: group.output,
    input: [...group.input],
    parameters: [...group.parameters],
    ...(group.formats !== undefined && { formats: [...group.formats] }),
    ...(group.operations !== undefined && { operations: [...group.operations] }),
    ...(group.dimensions !== undefined && { dimensions: group.dimensions }),
    ...(group.regional !== undefined && { regional: group.regional }),
    ...(group.patience !== undefined && { patience: group.patience }),
    ...(own.serviceTiers?.[id] !== undefined && { serviceTiers: own.serviceTiers[id] }),
    ...(own.hourWrites?.[id] !== undefined && { hourWrites: own.hourWrites[id] }),
    ...(own.searches?.[id] !== undefined && { searches: own.searches[id] }),
  }
  if (pricing !== undefined || entry === undefined) {
    return { ...facts, prices: pricing === undefined ? [] : [{ pricing }], ownPrices: true }
  }
  if (entry.deprecated === true) return 'the price data calls it deprecated'
  const ignored = own.ignored?.[id]
  try {
    const { periods, notCharged } = pricesFrom(entry, { ignored, operations: group.operations })
    return {
      ...facts,
      prices: periods,
      ...(notCharged.length > 0 && { notCharged }),
      ...(own.pricedAs?.[id] !== undefined && { pricedAs: own.pricedAs[id] }),
      ...(ignored !== undefined && { ignored: [...ignored] }),
    }
  } catch (error) {
    if (error instanceof InexactPrice) return error.message
    throw error
  }
}

function namesOf(
  id: string,
  own: VendorFacts,
  entry: SourceModel | undefined,
  listed: ReadonlySet<string>,
): Pick<VendorModel, 'aliases' | 'dated'> {
  // A model with the price of another one does not have that one's names.
  const match = own.pricedAs?.[id] === undefined ? entry?.match : undefined
  const aliases = match === undefined ? {} : aliasesOf(id, match)
  for (const [name, target] of Object.entries(own.aliases ?? {})) if (target === id) aliases[name] = name
  for (const name of listed) delete aliases[name]
  return {
    ...(Object.keys(aliases).length > 0 && { aliases }),
    ...(match !== undefined && isDated(id, match) && { dated: true as const }),
  }
}

/** The file's text, with one model per line. */
export function dataText({ source, date, models }: VendorData): string {
  const rows = models.map((model) => `    ${JSON.stringify(model)}`).join(',\n')
  const head = `  "source": ${JSON.stringify(source)},\n  "date": ${JSON.stringify(date)},`
  return `{\n${head}\n  "models": [\n${rows}\n  ]\n}\n`
}

function writeAll(described: readonly LoadedVendor[], today: string): string[] {
  const vendors = described.map(({ vendor }) => vendor)
  writeFileSync(registryFile, registryText(vendors))
  writeFileSync(guideFile, withVendorTable(readFileSync(guideFile, 'utf8'), vendors))
  const source = readPackagedSource(described)
  return described.flatMap(({ vendor, facts }) =>
    facts === undefined ? [] : writeModels(vendor, generateModels(vendor, facts, source), today),
  )
}

/** @returns what is wrong with the models */
function writeModels({ name }: Vendor, { models, problems }: Generated, today: string): string[] {
  const file = vendorDataFile(name)
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VendorData) : undefined
  const same = JSON.stringify(before?.models) === JSON.stringify(models)
  const date = same && before !== undefined ? before.date : today
  writeFileSync(file, dataText({ source: packagedSourceName, date, models }))
  return problems
}

if (import.meta.main) {
  const problems = writeAll(await loadVendors(), new Date().toISOString().slice(0, 10))
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
