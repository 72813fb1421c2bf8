# syntax=docker/dockerfile:1
# Tidings in a container: built from source, run by nobody in particular, on a root that is never written.
#   docker build --tag tidings .

FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev make && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# The folder .git is not copied: give the commit by --build-arg TIDINGS_COMMIT="$(git rev-parse HEAD)".
ARG TIDINGS_COMMIT
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/source/target \
    cargo build --release --locked --package tidings-server --features jemalloc && cp target/release/tidings /usr/local/bin/tidings

# The C library is all that the program needs; its certificates and its panel are compiled in.
FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin tidings \
    && install --directory --owner=tidings --group=tidings --mode=0700 /var/lib/tidings
COPY --from=build /usr/local/bin/tidings /usr/local/bin/tidings
ARG TIDINGS_COMMIT
LABEL org.opencontainers.image.title="Tidings" org.opencontainers.image.revision="${TIDINGS_COMMIT}"
USER 10001:10001
WORKDIR /var/lib/tidings
# Only what is below this folder is written, and with PostgreSQL nothing at all: run it with --read-only.
VOLUME ["/var/lib/tidings"]
ENV TIDINGS_ENV=production \
    TIDINGS__HTTP__ADDRESS=0.0.0.0:8080 \
    TIDINGS__STORAGE__URL=sqlite:///var/lib/tidings/tidings.db \
    TIDINGS__LOG__FORMAT=json
EXPOSE 8080
# Told to stop it finishes what was begun, for 25 seconds at the most.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/tidings"]
CMD ["serve"]
