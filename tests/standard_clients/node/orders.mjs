// What the scripts share: their orders are the first line of the input, the browser's answer is the second, and the steps are printed.
import { createInterface } from 'node:readline'

const input = createInterface({ input: process.stdin })
const lines = input[Symbol.asyncIterator]()

export const orders = JSON.parse((await lines.next()).value)

/** Lets the user sign in at an address, and gives the one that the browser is sent back to. */
export async function browse(address) {
  console.log(`open ${address}`)
  const back = new URL((await lines.next()).value)
  input.close()
  return back
}

export function did(step) {
  console.log(`did ${step}`)
}
