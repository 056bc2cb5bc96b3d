import { Table, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { ScrollTable } from '../../components/tables/scroll-table.tsx'
import { priceTable } from '../../models/price-rows.ts'

/** Narrower columns scroll. */
const nameWidth = 160
const columnWidth = 80

/** Every price of a model, also for long prompts and other service tiers. */
export function PriceTable({ model }: { model: Schemas['Model'] }) {
  const { columns, rows } = priceTable(model)
  return (
    <ScrollTable
      label="Prices"
      minWidth={nameWidth + columns.length * columnWidth}
      verticalSpacing="xs"
      hasFixedName
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Price of</Table.Th>
          {columns.map((head) => (
            <Table.Th key={head} ta="right" style={{ whiteSpace: 'normal' }}>
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, label, unit, prices }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} c="var(--mantine-color-text)">
              {label}
              <Text size="xs" c="dimmed">
                {unit}
              </Text>
            </Table.Th>
            {prices.map(({ text, isOther }, index) => (
              <Table.Td key={index} ta="right" c={index > 0 && !isOther ? 'dimmed' : undefined}>
                {text}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}
