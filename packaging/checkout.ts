import { relative } from 'node:path'
import { bundleCheckoutInto } from './bundle-gateway.ts'

/*
 * Runs next to `npm start` (bin/build-server.js): node packaging/checkout.ts <folder>. Prints, as JSON, which
 * files of the checkout went into the bundle.
 */

const root = `${import.meta.dirname}/..`
const [target = ''] = process.argv.slice(2)
const files = await bundleCheckoutInto(target)
const own = files.map((file) => relative(root, file)).filter((path) => !/^\.\.|^\0|node_modules/.test(path))
process.stdout.write(JSON.stringify([...new Set(own)].toSorted()))
