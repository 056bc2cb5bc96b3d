import { startVendorServer } from '@turnpike/simulators'
import { GatewayProcess } from '../../../../tests/nodes/gateway-process.ts'

/** A gateway process that runs this module first, and a vendor with the model `vendor/echo`. */
export async function startPreloaded(
  module: string,
): Promise<{ gateway: GatewayProcess; remove: () => Promise<void> }> {
  const vendor = await startVendorServer()
  const gateway = await GatewayProcess.create(
    {
      providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
      models: { 'vendor/echo': { pricing: { prompt: '0.0000025', completion: '0.00001' } } },
    },
    [],
    { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` },
  )
  return {
    gateway,
    async remove() {
      await gateway.remove()
      await vendor.close()
    },
  }
}
