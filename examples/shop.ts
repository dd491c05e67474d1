import { startShop } from './orders/shop-server.js';

/** The demo's shop as a process of its own: SHOP_PORT (0 picks a free one) and SHOP_FILE, where it keeps its orders. */
async function main(): Promise<void> {
  const { SHOP_PORT: port = '0', SHOP_FILE: file = null } = process.env;
  const shop = await startShop(Number(port), file);
  process.stdout.write(`shop ${shop.url}\n`);
  const leave = (): void => {
    void shop.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', leave);
  process.once('SIGINT', leave);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
