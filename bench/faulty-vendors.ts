import { startFaultyVendors } from './faults/faulty-vendors.ts'
import { parseShares } from './faults/schedule.ts'

/* Usage: faulty-vendors.ts <seed> <shares>. Prints its port as a line of JSON. */

const [seed = '1', shares = ''] = process.argv.slice(2)
const { port } = await startFaultyVendors(Number(seed), parseShares(shares))
process.stdout.write(`${JSON.stringify({ port })}\n`)
