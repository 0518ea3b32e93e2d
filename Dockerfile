# One image for web, worker, exchange and migrations; docker-compose.yml says which of them a container runs.
FROM node:20-bookworm-slim AS base
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1

# Everything, to build with. The schema comes first: the installation generates the database client from it.
FROM base AS build
COPY package.json package-lock.json prisma.config.ts ./
COPY prisma ./prisma
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs

# What runs in production.
FROM base AS dependencies
COPY package.json package-lock.json prisma.config.ts ./
COPY prisma ./prisma
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force

FROM base AS runtime
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/.next ./.next
COPY --from=build /app/dist ./dist
COPY package.json next.config.mjs prisma.config.ts ./
COPY scripts/web.mjs scripts/web-edge.mjs ./scripts/
COPY prisma ./prisma
USER node
EXPOSE 3000
CMD ["node", "scripts/web.mjs", "3000", "0.0.0.0"]
